package main

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/internal/report"
	"github.com/kvscen/kvscen/internal/result"
)

// format is one form that a result can be written in.
type format struct {
	name  string
	write func(io.Writer, *result.Run) error
}

func formats() []format {
	return []format{
		{"table", report.Table},
		{"csv", report.CSV},
		{"json", report.JSON},
		{"junit", report.JUnit},
	}
}

func formatNames() string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return strings.Join(names, ", ")
}

type reportFlags struct {
	explain, asJSON bool
	format          string
}

func newReport() *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use:   "report DIR",
		Short: "print the table of a result folder again",
		Long: `report prints the table of a run from its result folder, byte for byte as the
run printed it, or its figures in another form: csv has a line for each phase,
step and operation and a column for each metric; junit has a case for each
expectation and check. With --explain the meaning of each row follows the table.`,
		Example: `  kvscen report results/write-1m-20260102-150405
  kvscen report --explain results/write-1m-20260102-150405
  kvscen report --format junit results/write-1m-20260102-150405 >junit.xml`,
		Args: needArgs(1, 1, "one result folder"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.OutOrStdout(), args[0]) },
	}
	cmd.Flags().BoolVar(&f.explain, "explain", false, "say after the table what each row means")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "the same as --format json")
	cmd.Flags().StringVar(&f.format, "format", "table", "what to print: "+formatNames())
	cmd.MarkFlagsMutuallyExclusive("explain", "json")
	cmd.MarkFlagsMutuallyExclusive("format", "json")
	return cmd
}

func (f *reportFlags) run(out io.Writer, dir string) error {
	if f.asJSON {
		f.format = "json"
	}
	all := formats()
	i := slices.IndexFunc(all, func(c format) bool { return c.name == f.format })
	switch {
	case i < 0:
		return usage("--format %s: there are %s", f.format, formatNames())
	case f.explain && f.format != "table":
		return usage("--explain is of the table, not of --format %s", f.format)
	}
	run, err := result.Load(dir)
	if err != nil {
		return usage("%w", err)
	}
	if err := all[i].write(out, run); err != nil {
		return asInternal(err)
	}
	if f.explain {
		return asInternal(report.Explain(out))
	}
	return nil
}

// asInternal gives an error of printing its status; nil stays nil.
func asInternal(err error) error {
	if err == nil {
		return nil
	}
	return internal("printing: %w", err)
}

package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/internal/report"
	"github.com/kvscen/kvscen/internal/result"
)

// format is one form that a result can be written in.
type format struct {
	name  string
	write func(w io.Writer, r *result.Run, shards []*result.Run) error // r is shards put together, or the only one
}

func formats() []format {
	return []format{
		{"table", withoutFolder(report.Table)},
		{"md", markdown},
		{"html", htmlPage},
		{"csv", withoutFolder(report.CSV)},
		{"json", withoutFolder(report.JSON)},
		{"junit", withoutFolder(report.JUnit)},
	}
}

func withoutFolder(write func(io.Writer, *result.Run) error) func(io.Writer, *result.Run, []*result.Run) error {
	return func(w io.Writer, r *result.Run, _ []*result.Run) error { return write(w, r) }
}

// markdown shows the plots that `kvscen plot` has drawn; of several results there
// are none.
func markdown(w io.Writer, r *result.Run, shards []*result.Run) error {
	plots := map[string][]string{}
	if len(shards) > 1 {
		return report.Markdown(w, r, plots)
	}
	dir := shards[0].Dir
	for _, phase := range r.PhaseNames() {
		for _, name := range []string{"throughput", "latency-p99", "clients-throughput", "clients-p99", "percentiles"} {
			file := filepath.Join(plotFolder, result.FileSafe(phase+"-"+name)+".svg")
			if _, err := os.Stat(filepath.Join(dir, file)); err == nil {
				plots[phase] = append(plots[phase], filepath.ToSlash(file))
			}
		}
	}
	return report.Markdown(w, r, plots)
}

func htmlPage(w io.Writer, r *result.Run, shards []*result.Run) error {
	sources, err := sourcesOf(shards)
	if err != nil {
		return err
	}
	return report.HTML(w, r, sources)
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
		Use:   "report DIR...",
		Short: "print the table of a result folder again, or of several as one",
		Long: `report prints the table of a run from its result folder, byte for byte as the
run printed it, or in another form: md for a pull request, with the plots that
'kvscen plot' drew; html, one file with interactive charts that needs no network;
csv, a line for each phase, step and operation and a column for each metric;
junit, a case for each expectation and check. With --explain the meaning of each
row follows the table.

Several folders are put together as one result, without loss: histograms are
merged, percentiles never averaged. A folder without a result stands for all
results right below it. Of one scenario, as the shards of a CI matrix are,
different clusters become columns of one table, and the same cluster of several
folders is repeated; expectations, checks, comparisons and reports are made anew,
once, of the whole, from the source that is kept in the folders. Shards may differ
in parameters that are lists (--set store=etcd, --set store=consul): the whole is
then judged as if they had been given together. Where parameters differ otherwise
the results stand side by side, each judged by itself; results of different
scenarios follow each other. The exit status is then that of the whole, as 'kvscen
run' gives it.`,
		Example: `  kvscen report results/write-1m-20260102-150405
  kvscen report --explain results/write-1m-20260102-150405
  kvscen report --format html results/write-1m-20260102-150405 >report.html
  kvscen report --format md shards/etcd shards/zookeeper shards/consul`,
		Args: needArgs(1, -1, "a result folder, or several"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), cmd.OutOrStdout(), args) },
	}
	cmd.Flags().BoolVar(&f.explain, "explain", false, "say after the table what each row means")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "the same as --format json")
	cmd.Flags().StringVar(&f.format, "format", "table", "what to print: "+formatNames())
	cmd.MarkFlagsMutuallyExclusive("explain", "json")
	cmd.MarkFlagsMutuallyExclusive("format", "json")
	return cmd
}

func (f *reportFlags) run(ctx context.Context, out io.Writer, dirs []string) error {
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
	shards, err := loadAll(dirs)
	if err != nil {
		return err
	}
	run, err := mergeAll(ctx, shards)
	if err != nil {
		return err
	}
	if err := all[i].write(out, run, shards); err != nil {
		return asInternal(err)
	}
	if f.explain {
		if err := report.Explain(out); err != nil {
			return asInternal(err)
		}
	}
	if len(shards) > 1 {
		return asMerged(run)
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

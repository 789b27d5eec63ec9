package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/internal/scenario"
)

func newParams() *cobra.Command {
	var flags scenarioFlags
	cmd := &cobra.Command{
		Use:   "params FILE",
		Short: "show the parameters of a scenario",
		Long: `params lists the parameters of the scenario's main function: name, type,
default, the value that --small gives, and what its docstring says.`,
		Example: `  kvscen params scenarios/write-1m.star`,
		Args:    needArgs(1, 1, "one scenario file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			params, doc, err := scenario.Params(cmd.Context(), args[0], flags.options())
			if err != nil {
				return usage("%w", err)
			}
			if doc != "" {
				fmt.Fprintf(cmd.OutOrStdout(), "%s\n\n", strings.TrimSpace(doc))
			}
			t := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(t, "NAME\tTYPE\tDEFAULT\tSMALL\tMEANING")
			for _, p := range params {
				fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", p.Name, p.Type, p.Default, p.Small, p.Doc)
			}
			return t.Flush()
		},
	}
	flags.addRoot(cmd)
	return cmd
}

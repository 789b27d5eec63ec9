package main

import (
	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/internal/report"
	"github.com/kvscen/kvscen/internal/result"
)

func newReport() *cobra.Command {
	var explain, asJSON bool
	cmd := &cobra.Command{
		Use:   "report DIR",
		Short: "print the table of a result folder again",
		Long: `report prints the table of a run from its result folder, byte for byte as the
run printed it. With --explain the meaning of each row follows.`,
		Example: `  kvscen report results/write-1m-20260102-150405
  kvscen report --explain results/write-1m-20260102-150405`,
		Args: needArgs(1, 1, "one result folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			run, err := result.Load(args[0])
			if err != nil {
				return usage("%w", err)
			}
			out := cmd.OutOrStdout()
			if asJSON {
				return asInternal(report.JSON(out, run))
			}
			if err := report.Table(out, run); err != nil {
				return asInternal(err)
			}
			if explain {
				return asInternal(report.Explain(out))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&explain, "explain", false, "say after the table what each row means")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the figures as JSON in place of the table")
	cmd.MarkFlagsMutuallyExclusive("explain", "json")
	return cmd
}

// asInternal gives an error of printing its status; nil stays nil.
func asInternal(err error) error {
	if err == nil {
		return nil
	}
	return internal("printing: %w", err)
}

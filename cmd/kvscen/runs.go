package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/internal/history"
	"github.com/kvscen/kvscen/internal/report"
)

func newRuns() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "runs [DIR]",
		Short: "list the runs whose results are in a folder",
		Long: `runs lists past runs, a line each, the oldest first: when, which scenario, how it
ended, how long it took, its parameters, and of each cluster the throughput and p99
of the last measured phase. DIR is the folder that result folders are made in; without it,
"results" of this folder.`,
		Example: `  kvscen runs
  kvscen runs --json results/`,
		Args: needArgs(0, 1, "at most one folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := defaultResults
			if len(args) == 1 {
				dir = args[0]
			}
			runs, err := history.Find(dir)
			if err != nil {
				return usage("%w", err)
			}
			if asJSON {
				e := json.NewEncoder(cmd.OutOrStdout())
				e.SetIndent("", "  ")
				return asInternal(e.Encode(runs))
			}
			return asInternal(report.Runs(cmd.OutOrStdout(), runs))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/internal/result"
	"github.com/kvscen/kvscen/internal/sheets"
)

// csvFolder is where the CSV files lie in a result folder.
const csvFolder = "csv"

func newCSV() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "csv DIR",
		Short: "write a result folder's figures as CSV files",
		Long: `csv writes the figures of a run as CSV, a folder for each phase and a file for
each subject: latency and throughput by second, by key number and by number of
clients, percentiles and distribution of latency, what each member, host and
kvscen itself used, disk usage, and the summary table. Files and columns that
dbtester has are named as they are there; docs/results.md describes them all.

A run writes them itself, to the folder "csv" of its result. This is for results
that came about otherwise. 'kvscen report --format csv' gives one table instead,
with a line for each phase, step and operation and a column for each metric.`,
		Example: `  kvscen csv results/write-1m-20260102-150405
  kvscen csv --out /tmp/csv results/write-1m-20260102-150405`,
		Args: needArgs(1, 1, "one result folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			run, err := result.Load(args[0])
			if err != nil {
				return usage("%w", err)
			}
			if out == "" {
				out = filepath.Join(folderOf(args[0]), csvFolder)
			}
			n, err := sheets.Write(out, run)
			if err != nil {
				return asInternal(err)
			}
			if n == 0 {
				fmt.Fprintln(cmd.OutOrStdout(), "there is nothing to write: the run has no phase")
				return nil
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d files\n", out, n)
			return nil
		},
	}
	cmd.Flags().StringVar(&out, "out", "", `folder to write to, "csv" in the result folder unless given`)
	return cmd
}

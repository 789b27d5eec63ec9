package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/internal/report"
	"github.com/kvscen/kvscen/internal/result"
)

func newRescue() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "rescue DIR",
		Short: "print what a killed run had measured",
		Long: `rescue reads the log of latencies in the folder of a run that was killed before
it could write its result, or that goes on still: requests, throughput and
latencies of each operation of each phase, up to its last full second. A log that
ends within a line is read up to there.`,
		Example: `  kvscen rescue results/write-1m-20260102-150405`,
		Args:    needArgs(1, 1, "one result folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			path := args[0]
			if info, err := os.Stat(path); err == nil && info.IsDir() {
				path = filepath.Join(path, result.LogName)
			}
			file, err := os.Open(path)
			if err != nil {
				return usage("opening a latency log: %w", err)
			}
			defer file.Close()
			log, err := result.ReadHLog(file)
			if err != nil {
				return usage("%s: %w", path, err)
			}
			if asJSON {
				return asInternal(report.RescuedJSON(cmd.OutOrStdout(), log))
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), result.FileName)); err == nil {
				fmt.Fprintln(cmd.ErrOrStderr(), "kvscen: the run has ended, and wrote its result: 'kvscen report' prints all of it")
			}
			return asInternal(report.Rescued(cmd.OutOrStdout(), log))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

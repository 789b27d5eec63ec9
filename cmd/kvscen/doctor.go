package main

import (
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/internal/doctor"
	"github.com/kvscen/kvscen/internal/result"
)

func newDoctor() *cobra.Command {
	var data string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "look at this machine: limits, disk, ports, clock, programs",
		Long: `doctor checks what a run depends on: the limit of open files, free disk, how
long the disk takes to make data durable, memory, ports, /proc, the clock, the
CPU's governor, and which stores are installed. The exit status is 3 if a run
would fail here.`,
		Example: `  kvscen doctor
  kvscen doctor --data /mnt/ssd`,
		Args: needArgs(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := doctor.RaiseOpenFiles(); err != nil {
				return &failure{result.StatusSetup, err}
			}
			known, err := recipes(cmd.Context())
			if err != nil {
				return internal("%w", err)
			}
			embedded := slices.Sorted(maps.Keys(servers()))
			checks := doctor.All(doctor.This(), data, embedded, known)
			if err := doctor.Print(cmd.OutOrStdout(), checks); err != nil {
				return internal("%w", err)
			}
			if doctor.Worst(checks) == doctor.Bad {
				return &failure{status: result.StatusSetup}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&data, "data", defaultResults, "`folder` that members would write to")
	return cmd
}

package main

import (
	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/internal/host"
)

// newGuard is what members run under; kvscen calls it itself.
func newGuard() *cobra.Command {
	return &cobra.Command{
		Use:                "guard -- ARGV",
		Short:              "run a program that ends when kvscen does",
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if status := host.Guard(cmd.Context(), args, cmd.ErrOrStderr()); status != 0 {
				return &failure{status: status}
			}
			return nil
		},
	}
}

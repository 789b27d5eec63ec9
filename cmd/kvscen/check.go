package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/internal/result"
	"github.com/kvscen/kvscen/internal/scenario"
)

func newCheck() *cobra.Command {
	var flags scenarioFlags
	cmd := &cobra.Command{
		Use:   "check FILE|DIR...",
		Short: "say whether scenarios are right, without starting anything",
		Long: `check makes the plan of each scenario, for its defaults and for --small, and
prints every error with its place in the file. Nothing is started, and the
answer is the same on every machine. The exit status is 2 if there are errors.`,
		Example: `  kvscen check scenarios/
  kvscen check --set clients=1,10 my-scenario.star`,
		Args: needArgs(1, -1, "scenario files or folders"),
		RunE: func(cmd *cobra.Command, args []string) error {
			wrong := false
			for _, path := range args {
				files, err := flags.files(cmd.Context(), path)
				if err != nil {
					wrong = true
					printError(cmd.ErrOrStderr(), asFailure(result.StatusUsage, err))
				}
				for _, file := range files {
					if err := checkFile(cmd.Context(), file, flags.options()); err != nil {
						wrong = true
						printError(cmd.ErrOrStderr(), asFailure(result.StatusUsage, err))
						continue
					}
					fmt.Fprintf(cmd.OutOrStdout(), "ok %s\n", file)
				}
			}
			if wrong {
				return &failure{status: result.StatusUsage}
			}
			return nil
		},
	}
	flags.add(cmd)
	return cmd
}

// checkFile makes the plan as asked and, where the scenario has one, that of
// its small variant too.
func checkFile(ctx context.Context, file string, o scenario.Options) error {
	s, err := scenario.Open(ctx, file, o)
	if err != nil || o.Small {
		return err
	}
	if _, ok := s.File.Globals["small"]; ok {
		o.Small = true
		_, err = scenario.Open(ctx, file, o)
	}
	return err
}

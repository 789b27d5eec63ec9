package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/internal/outline"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/scenario"
)

// planned is what plan --json prints.
type planned struct {
	Hash     string        `json:"hash"`
	Estimate plan.Estimate `json:"estimate"`
	Plan     *plan.Plan    `json:"plan"`
}

func newPlan() *cobra.Command {
	var flags scenarioFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "plan FILE",
		Short: "show what a scenario would do",
		Long: `plan prints what a run of the scenario would start and send: clusters with the
processes of their members, their command lines and files, phases and their steps,
and an estimate of time and disk. What only a machine can know, such as ports and
folders, stands in it as ${kvscen:...}. The plan and its hash are the same on
every machine.`,
		Example: `  kvscen plan scenarios/write-1m.star
  kvscen plan --small --json scenarios/write-1m.star`,
		Args: needArgs(1, 1, "one scenario file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := scenario.Open(cmd.Context(), args[0], flags.options())
			if err != nil {
				return usage("%w", err)
			}
			if !asJSON {
				return asInternal(outline.Print(cmd.OutOrStdout(), s.Plan))
			}
			e := json.NewEncoder(cmd.OutOrStdout())
			e.SetEscapeHTML(false)
			e.SetIndent("", "  ")
			return asInternal(e.Encode(planned{s.Plan.Hash(), s.Plan.Estimate(), s.Plan}))
		},
	}
	flags.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the plan as JSON")
	return cmd
}

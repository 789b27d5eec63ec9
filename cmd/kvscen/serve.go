package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/internal/result"
)

// newServe runs a member embedded in the binary; kvscen calls it itself.
func newServe() *cobra.Command {
	return &cobra.Command{
		Use:                "serve STORE -- FLAGS",
		Short:              "run one member of a store that is part of this binary",
		Hidden:             true,
		DisableFlagParsing: true,
		Args:               needArgs(1, -1, "a store and its flags"),
		RunE: func(cmd *cobra.Command, args []string) error {
			known := servers()
			serve, ok := known[args[0]]
			if !ok {
				return usage("no server of %q is part of this binary, only: %s",
					args[0], strings.Join(slices.Sorted(maps.Keys(known)), ", "))
			}
			rest := args[1:]
			if len(rest) > 0 && rest[0] == "--" {
				rest = rest[1:]
			}
			if err := serve(cmd.Context(), rest); err != nil {
				return &failure{result.StatusSetup, err}
			}
			return nil
		},
	}
}

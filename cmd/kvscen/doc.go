package main

import (
	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/internal/reference"
)

func newDoc() *cobra.Command {
	return &cobra.Command{
		Use:   "doc DIR",
		Short: "write the reference pages to a folder",
		Long: `doc writes the reference of the command line, the language, the stores, the
metrics and the result folder as Markdown. The pages in docs/ are made by it.`,
		Example: `  kvscen doc docs`,
		Args:    needArgs(1, 1, "one folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := reference.Write(args[0], newRoot(), specs()); err != nil {
				return setup("%w", err)
			}
			return nil
		},
	}
}

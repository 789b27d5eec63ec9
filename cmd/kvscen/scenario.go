package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/internal/scenario"
)

// scenarioFlags are those of every subcommand that reads a scenario.
type scenarioFlags struct {
	set   []string
	small bool
	root  string
}

func (f *scenarioFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.set, "set", nil, "give a parameter of main a value, `NAME=VALUE`; may be repeated")
	cmd.Flags().BoolVar(&f.small, "small", false, "take the parameters in the scenario's global small: a run of seconds")
	f.addRoot(cmd)
	if err := cmd.RegisterFlagCompletionFunc("set", f.completeSet); err != nil {
		panic(err) // the flag is defined above
	}
}

// completeSet offers the parameters of the scenario that stands on the command line.
func (f *scenarioFlags) completeSet(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	params, _, err := scenario.Params(cmd.Context(), args[0], f.options())
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var words []string
	for _, p := range params {
		words = append(words, p.Name+"=\t"+p.Doc)
	}
	return words, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}

func (f *scenarioFlags) addRoot(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.root, "root", "", "`folder` that load may read from (default the scenario's own)")
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return []string{"star"}, cobra.ShellCompDirectiveFilterFileExt
	}
}

func (f *scenarioFlags) options() scenario.Options {
	return scenario.Options{Set: f.set, Small: f.small, Root: f.root, Specs: specs()}
}

// files expands a folder to the scenarios in it, in the order of their names; a
// file stands for itself. A folder without scenarios is an error.
func (f *scenarioFlags) files(ctx context.Context, path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, usage("looking for scenarios: %w", err)
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	entries, err := scenario.List(ctx, path, f.options())
	if err != nil {
		return nil, usage("%w", err)
	}
	if len(entries) == 0 {
		return nil, usage("there are no scenarios in %s: no .star file there defines main", path)
	}
	var files []string
	for _, e := range entries {
		files = append(files, e.Path)
	}
	return files, nil
}

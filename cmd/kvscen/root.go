package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/internal/result"
	"github.com/kvscen/kvscen/lang"
)

// execute runs one command line and returns its exit status. Errors go to
// stderr; what was asked for goes to stdout.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return result.StatusOK
	}
	f, known := errors.AsType[*failure](err)
	if !known { // cobra's own: a subcommand or an argument that is not there
		f = usage("%w\nrun '%s --help' for usage", err, cmd.CommandPath())
	}
	printError(stderr, f)
	return f.status
}

// printError writes an error under the name of the program. A script's comes
// as it is: its place stands first in the line, where editors look for it.
func printError(w io.Writer, f *failure) {
	if f.err == nil {
		return
	}
	if _, ok := errors.AsType[*lang.Diagnostics](f.err); ok {
		fmt.Fprintln(w, f.err)
		return
	}
	fmt.Fprintln(w, "kvscen:", f.err)
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "kvscen",
		Short: "measure distributed key-value stores by scenarios",
		Long: `kvscen measures distributed key-value stores. A scenario, one small Starlark
file, says which clusters to start, what load to put on them and what to expect;
kvscen starts the members, sends the load, samples clients and servers, and
prints a table whose every number is defined in docs/measurement.md.`,
		Example: `  kvscen run --small scenarios/write-1m.star        a run of seconds
  kvscen run scenarios/write-1m.star                the whole of it
  kvscen plan scenarios/write-1m.star               what it would do
  kvscen report results/write-1m-20260102-150405    the same table again`,
		SilenceErrors:              true,
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
	}
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(
		newRun(), newCheck(), newPlan(), newParams(), newList(), newStores(), newReport(), newCompare(), newRuns(), newPlot(), newCSV(), newRescue(),
		newClean(), newDoctor(), newVersion(), newDoc(), newGuard(), newServe(),
	)
	return root
}

package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kvscen/kvscen/internal/result"
	"github.com/kvscen/kvscen/lang"
)

// failure is an error that knows the exit status it leads to. Its err may be
// nil: everything has been printed already.
type failure struct {
	status int
	err    error
}

func (f *failure) Error() string {
	if f.err == nil {
		return fmt.Sprintf("exit status %d", f.status)
	}
	return f.err.Error()
}

func (f *failure) Unwrap() error { return f.err }

// usage makes the failure of a wrong command line or script.
func usage(format string, args ...any) *failure {
	return &failure{result.StatusUsage, fmt.Errorf(format, args...)}
}

// asFailure gives an error its status, unless it has one already.
func asFailure(status int, err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	return &failure{status, err}
}

// internal makes the failure of something that was not to go wrong.
func internal(format string, args ...any) *failure {
	return &failure{result.StatusInternal, fmt.Errorf(format, args...)}
}

// flagError adds to the error of a misspelt flag the nearest one that exists.
func flagError(cmd *cobra.Command, err error) error {
	hint := ""
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := lang.Nearest(unknown.GetSpecifiedName(), names); near != "" {
			hint = fmt.Sprintf("; did you mean --%s?", near)
		}
	}
	return usage("%w%s\nrun '%s --help' for usage", err, hint, cmd.CommandPath())
}

// needArgs is an argument check that says what is missing.
func needArgs(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return usage("%s needs %s\nrun '%s --help' for usage", cmd.CommandPath(), what, cmd.CommandPath())
		case most >= 0 && len(args) > most:
			return usage("%s takes %s, %q is too much\nrun '%s --help' for usage",
				cmd.CommandPath(), what, args[most], cmd.CommandPath())
		}
		return nil
	}
}

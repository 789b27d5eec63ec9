package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/internal/result"
	"github.com/kvscen/kvscen/internal/scenario"
)

// listed is one line of the list, as --json prints it.
type listed struct {
	Path   string   `json:"path"`
	Title  string   `json:"title"`
	Params []string `json:"params"`
	Small  bool     `json:"small"`
	Error  string   `json:"error,omitempty"`
}

func newList() *cobra.Command {
	var flags scenarioFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list DIR",
		Short: "list the scenarios of a folder",
		Long: `list shows the path and title of each scenario in a folder. Files without a
main function, and those named *_test.star, are passed over.`,
		Example: `  kvscen list scenarios/
  kvscen list --json scenarios/`,
		Args: needArgs(1, 1, "one folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := flags.files(cmd.Context(), args[0]); err != nil {
				return err
			}
			entries, err := scenario.List(cmd.Context(), args[0], flags.options())
			if err != nil {
				return usage("%w", err)
			}
			return printList(cmd.OutOrStdout(), entries, asJSON)
		},
	}
	flags.addRoot(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// printList writes the list and fails if one of its scenarios is broken.
func printList(w io.Writer, entries []scenario.Entry, asJSON bool) error {
	var list []listed
	broken := false
	for _, e := range entries {
		l := listed{Path: e.Path, Title: e.Title, Params: e.Params, Small: e.Small}
		if e.Err != nil {
			broken = true
			l.Error = e.Err.Error()
		}
		list = append(list, l)
	}
	write := printLines
	if asJSON {
		write = printJSON
	}
	if err := write(w, list); err != nil {
		return internal("printing the list: %w", err)
	}
	if broken {
		return &failure{status: result.StatusUsage}
	}
	return nil
}

func printJSON(w io.Writer, list []listed) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(list)
}

func printLines(w io.Writer, list []listed) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, l := range list {
		title := l.Title
		if l.Error != "" {
			first, _, _ := strings.Cut(l.Error, "\n")
			title = "broken: " + first
		}
		fmt.Fprintf(t, "%s\t%s\n", l.Path, title)
	}
	return t.Flush()
}

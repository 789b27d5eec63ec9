package reference

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kvscen/kvscen/internal/result"
)

// commands is the reference of the command line.
func commands(root *cobra.Command) []byte {
	p := newPage("The command line", strings.TrimSpace(root.Long))
	root.InitDefaultCompletionCmd()
	p.table("Command", "What it does")
	for _, c := range shown(root) {
		p.row("["+code(c.CommandPath())+"](#"+anchor(c)+")", c.Short)
	}
	for _, c := range shown(root) {
		p.command(c)
	}
	p.exitStatuses()
	return p.Bytes()
}

// shown lists the subcommands that a reader is meant to use.
func shown(root *cobra.Command) []*cobra.Command {
	var list []*cobra.Command
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() && !c.IsAdditionalHelpTopicCommand() {
			list = append(list, c)
		}
	}
	return list
}

func anchor(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

func (p *page) command(c *cobra.Command) {
	p.printf("\n## %s\n\n", c.CommandPath())
	p.printf("    %s\n\n", c.UseLine())
	long := c.Long
	if long == "" {
		long = strings.ToUpper(c.Short[:1]) + c.Short[1:] + "."
	}
	p.printf("%s\n", strings.TrimSpace(long))
	if c.Example != "" {
		p.printf("\n")
		for line := range strings.Lines(strings.TrimRight(c.Example, "\n")) {
			p.printf("  %s", line)
		}
		p.printf("\n")
	}
	if c.Flags().HasAvailableFlags() {
		p.table("Flag", "Meaning")
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" {
				p.row(flagName(f), flagMeaning(f))
			}
		})
	}
}

// flagName is how the flag is written: "`-q`, `--quiet`", "`--out folder`".
func flagName(f *pflag.Flag) string {
	operand, _ := pflag.UnquoteUsage(f)
	name := code(strings.TrimSpace("--" + f.Name + " " + operand))
	if f.Shorthand != "" {
		return code("-"+f.Shorthand) + ", " + name
	}
	return name
}

func flagMeaning(f *pflag.Flag) string {
	_, meaning := pflag.UnquoteUsage(f)
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" && f.DefValue != "0" {
		meaning += " (default " + f.DefValue + ")"
	}
	return meaning
}

func (p *page) exitStatuses() {
	p.printf("\n## Exit statuses\n\nThe first cause wins.\n")
	p.table("Status", "Cause")
	for _, s := range []struct {
		status int
		cause  string
	}{
		{result.StatusOK, "all went well"},
		{result.StatusInternal, "internal error"},
		{result.StatusUsage, "the command line or the script is wrong"},
		{result.StatusSetup, "set-up failed: a store is missing or does not get ready, or the machine lacks what the run needs"},
		{result.StatusRun, "the run failed: nothing was ok, more errors than max_errors, or a member was lost"},
		{result.StatusCheck, "a check or expectation failed, or could not be judged"},
		{result.StatusUntrusted, "with --strict: the result carries a bad mark of trust"},
		{result.StatusReport, "the run is sound, but a report of the scenario failed"},
		{result.StatusInterrupted, "interrupted by SIGINT (Ctrl-C)"},
		{result.StatusTerminated, "interrupted by SIGTERM"},
	} {
		p.printf("| %d | %s |\n", s.status, s.cause)
	}
}

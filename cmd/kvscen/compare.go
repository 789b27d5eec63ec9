package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/internal/compare"
	"github.com/kvscen/kvscen/internal/report"
	"github.com/kvscen/kvscen/internal/result"
)

type compareFlags struct {
	options compare.Options
	pairs   []string
	failIf  []string
	format  string
}

func newCompare() *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:   "compare BASE NEW",
		Short: "say whether two sets of runs differ",
		Long: `compare says of each metric whether it differs between two sets of runs, by how
much, and how sure that is. BASE and NEW are result folders, or folders that hold
several of one scenario. The unit is a run, not a request: repeat = 10 in a
scenario, or ten runs of it, give ten. With fewer than four a side nothing can be
shown, and compare says so.

With --fail-if the exit status is 7 where a condition is met, which takes both a
difference beyond the bound and one that chance does not explain.`,
		Example: `  kvscen compare results/before results/after
  kvscen compare --fail-if "p99 > +5%" --fail-if "throughput < -3%" base/ new/
  kvscen compare --pair etcd-3.4=etcd-3.7 --format md base/ new/`,
		Args: needArgs(2, 2, "two result folders, BASE and NEW"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0], args[1]) },
	}
	cmd.Flags().StringSliceVar(&f.options.Metrics, "metric", compare.DefaultMetrics(), "metrics to compare, by name")
	cmd.Flags().Float64Var(&f.options.Level, "level", compare.DefaultLevel, "chance of a false alarm that is taken")
	cmd.Flags().BoolVar(&f.options.Steps, "steps", false, "compare each load level too")
	cmd.Flags().StringArrayVar(&f.pairs, "pair", nil, "LABEL=LABEL: a cluster of BASE and the one of NEW to compare it with")
	cmd.Flags().StringArrayVar(&f.failIf, "fail-if", nil, `condition that must not be met: "p99 > +5%" (may be repeated)`)
	cmd.Flags().StringVar(&f.format, "format", "table", "what to print: table, md or json")
	return cmd
}

func (f *compareFlags) run(cmd *cobra.Command, base, new string) error {
	conditions, err := f.prepare()
	if err != nil {
		return usage("%w", err)
	}
	c, err := compared(base, new, f.options)
	if err != nil {
		return usage("%w", err)
	}
	violated, undecided := c.Violations(conditions)
	print := report.Comparison
	switch f.format {
	case "md":
		print = report.ComparisonMarkdown
	case "json":
		print = report.ComparisonJSON
	}
	if err := print(cmd.OutOrStdout(), c, violated); err != nil {
		return asInternal(err)
	}
	switch {
	case len(violated) > 0:
		return &failure{result.StatusRegression, fmt.Errorf("%s is met", violated[0].Condition.Text)}
	case len(undecided) > 0:
		l := undecided[0]
		return &failure{result.StatusCheck, fmt.Errorf("whether %s of phase %s on %s has changed can't be told: %s (%s)",
			l.Metric, l.Phase, l.Cluster, l.Verdict, l.Reason)}
	}
	return nil
}

// prepare reads the flags; metrics of conditions are compared as well.
func (f *compareFlags) prepare() ([]compare.Condition, error) {
	if f.format != "table" && f.format != "md" && f.format != "json" {
		return nil, fmt.Errorf("--format %s: want table, md or json", f.format)
	}
	if f.options.Level <= 0 || f.options.Level >= 1 {
		return nil, fmt.Errorf("--level %g: want a number between 0 and 1", f.options.Level)
	}
	f.options.Pairs = map[string]string{}
	for _, p := range f.pairs {
		a, b, ok := strings.Cut(p, "=")
		if !ok || a == "" || b == "" {
			return nil, fmt.Errorf("--pair %s: want LABEL=LABEL", p)
		}
		f.options.Pairs[a] = b
	}
	var conditions []compare.Condition
	for _, text := range f.failIf {
		c, err := compare.ParseCondition(text)
		if err != nil {
			return nil, fmt.Errorf("--fail-if: %w", err)
		}
		conditions = append(conditions, c)
		f.options.Metrics = addMissing(f.options.Metrics, c.Metric)
	}
	return conditions, nil
}

func compared(base, new string, o compare.Options) (*compare.Comparison, error) {
	a, errA := compare.Open(base)
	b, errB := compare.Open(new)
	if err := errors.Join(errA, errB); err != nil {
		return nil, err
	}
	return compare.Compare(a, b, o)
}

// addMissing appends a name unless the list has it.
func addMissing(list []string, name string) []string {
	if slices.Contains(list, name) {
		return list
	}
	return append(list, name)
}

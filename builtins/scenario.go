package builtins

import (
	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

// ScenarioValue is what main returns.
type ScenarioValue struct {
	object
	clusters []*Cluster
	phases   []starlark.Value // *Phase, *Parallel, or one of them deferred
	title    string
	seed     uint64
	repeat   int
	order    string
	lost     string
	expects  []*Expect
	checks   []*Check
	compares []*Compare
	reports  []*Report
}

func scenarioBuiltin() builtin {
	return builtin{
		signature: `scenario(clusters, phases, title=None, seed=1, repeat=1, order="sequential", on_host_lost="end", expects=[], checks=[], compares=[], reports=[])`,
		doc:       "What main returns: the clusters, the phases that each goes through, what is expected of the result, which clusters are compared, and what tables are made of it. on_host_lost says whether a run ends when a machine that members run on is lost, or goes on (\"continue\") with the others.",
		make:      makeScenario,
	}
}

var orders = [...]string{plan.Sequential, plan.Interleaved}

var losses = [...]string{plan.LostEnd, plan.LostContinue}

func makeScenario(c *call) (starlark.Value, error) {
	s := &ScenarioValue{
		clusters: all[*Cluster](c, "clusters", "a cluster"),
		phases:   c.list("phases"),
		title:    c.str("title", ""),
		seed:     c.seed("seed"),
		repeat:   int(c.integer("repeat", 1)),
		order:    c.str("order", plan.Sequential),
		lost:     c.str("on_host_lost", plan.LostEnd),
		expects:  all[*Expect](c, "expects", "an expect(...)"),
		checks:   all[*Check](c, "checks", "a check(...)"),
		compares: all[*Compare](c, "compares", "a compare(...)"),
		reports:  all[*Report](c, "reports", "a report(...)"),
	}
	if len(s.clusters) == 0 {
		c.fail("clusters", "want at least one cluster")
	}
	if len(s.phases) == 0 {
		c.fail("phases", "want at least one phase")
	}
	for i, p := range s.phases {
		if kind := p.Type(); kind != "phase" && kind != "parallel" && kind != "per_cluster" {
			c.fail("phases", "element %d: want a phase or parallel([...]), got %s", i, describe(p))
		}
	}
	c.oneOf("order", s.order, orders[:])
	c.oneOf("on_host_lost", s.lost, losses[:])
	s.object = c.object()
	return s, nil
}

// seed reads a number that is not negative.
func (c *call) seed(name string) uint64 {
	n := c.integer(name, 1)
	if n < 0 {
		c.fail(name, "must not be negative, got %d", n)
	}
	return uint64(n)
}

// Attr reads a field.
func (s *ScenarioValue) Attr(name string) (starlark.Value, error) { return s.attr(s, name) }

package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Problems lists what is wrong with the plan and can be known without a
// cluster or a store. A plan without problems has an end, a load and names that
// fit into every output.
func (p *Plan) Problems() []Problem {
	c := &checker{plan: p, names: regexp.MustCompile(NamePattern)}
	if p.Repeat < 1 || p.Repeat > maxRepeat {
		c.add(p.Pos, "repeat", "scenario: repeat must lie between 1 and %d, got %d", maxRepeat, p.Repeat)
	}
	if p.Order != Sequential && p.Order != Interleaved {
		c.add(p.Pos, "order", "scenario: order must be %q or %q, got %q", Sequential, Interleaved, p.Order)
	}
	for i := range p.Keys {
		c.keys(&p.Keys[i])
	}
	labels := map[string]bool{}
	for i := range p.Runs {
		run := &p.Runs[i]
		if labels[run.Cluster.Label] {
			c.add(run.Cluster.Pos, "label", "cluster: there is another cluster called %q; give it a label of its own", run.Cluster.Label)
		}
		labels[run.Cluster.Label] = true
		c.cluster(&run.Cluster)
		c.groups(run)
	}
	for i := range p.Expects {
		c.expect(&p.Expects[i])
	}
	for i := range p.Compares {
		c.compare(&p.Compares[i])
	}
	return c.problems
}

// maxName bounds names, in bytes: several make up the name of one file.
const maxName = 100

// maxRepeat bounds the repetitions of a plan.
const maxRepeat = 10_000

// A checker gathers problems.
type checker struct {
	plan     *Plan
	names    *regexp.Regexp
	problems []Problem
}

// add notes a problem, once.
func (c *checker) add(pos Pos, arg, format string, args ...any) {
	p := Problem{Pos: pos, Arg: arg, Text: fmt.Sprintf(format, args...)}
	if !slices.Contains(c.problems, p) {
		c.problems = append(c.problems, p)
	}
}

// name checks a name that goes into file names and log tags.
func (c *checker) name(pos Pos, arg, what, name string) {
	switch {
	case len(name) > maxName:
		c.add(pos, arg, "%s: the name %q... is too long: it takes %d bytes, at most %d are taken", what, name[:20], len(name), maxName)
	case !c.names.MatchString(name):
		c.add(pos, arg, "%s: the name %q may hold letters, digits, dots, dashes and underscores only, and at least one", what, name)
	}
}

// listed names each once.
func listed(names []string) string {
	var out []string
	for _, n := range names {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, ", ")
}

// OpNames are the names of the operations in results: the kind, numbered from
// the second of a kind on: "get", "get-2".
func (p *Phase) OpNames() []string {
	seen := map[string]int{}
	names := make([]string, len(p.Ops))
	for i, o := range p.Ops {
		seen[o.Kind]++
		names[i] = o.Kind
		if n := seen[o.Kind]; n > 1 {
			names[i] = fmt.Sprintf("%s-%d", o.Kind, n)
		}
	}
	return names
}

package builtins

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// Result is what the functions of check and report are called with: a part of the result, narrowed down
// level by level. A level that is left out stands for all, or for the only one.
type Result struct {
	rec   *recorder
	sel   result.Selection
	group string // "response", "service" ...: a set of latencies; empty: all metrics
}

func (r *Result) String() string        { return "result " + path(r.sel) }
func (r *Result) Type() string          { return "result" }
func (r *Result) Freeze()               {}
func (r *Result) Truth() starlark.Bool  { return true }
func (r *Result) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: result") }

func levels() []builtin {
	return []builtin{
		{signature: "cluster(label)", doc: "The part of one cluster.", make: resultCluster},
		{signature: "phase(name)", doc: "The part of one phase.", make: resultPhase},
		{signature: "step(i)", doc: "The part of one step, counted from 1 as in the report.", make: resultStep},
		{signature: "op(kind)", doc: "The part of one operation.", make: resultOp},
	}
}

// Attr gives a level, a fact, a set of latencies, or a metric.
func (r *Result) Attr(name string) (starlark.Value, error) {
	if r.group == "" {
		for _, l := range levels() {
			if l.name() == name {
				return l.value(r), nil
			}
		}
		for _, f := range facts() {
			if f.name == name {
				return f.of(r)
			}
		}
		if slices.Contains(latencyGroups(), name) {
			return &Result{r.rec, r.sel, name}, nil
		}
	}
	word := name
	if r.group != "" {
		word = r.group + "_" + name
	}
	m, ok := metricNamed(word)
	if !ok {
		return nil, starlark.NoSuchAttrError(fmt.Sprintf("a result has no field .%s%s", name, plan.DidYouMean(name, r.AttrNames())))
	}
	return r.rec.read(r.sel, m)
}

// latencyGroups are the sets of latencies: the names before the dot, but for
// those that name a metric themselves.
func latencyGroups() []string {
	var groups, plain []string
	for _, m := range result.Metrics() {
		if group, _, ok := strings.Cut(m.Name, "."); ok && !slices.Contains(groups, group) && m.Unit == result.UnitNanoseconds {
			groups = append(groups, group)
		} else if !ok {
			plain = append(plain, m.Name)
		}
	}
	return slices.DeleteFunc(groups, func(g string) bool { return slices.Contains(plain, g) || isPercentile(g) })
}

// isPercentile tells p99 (of p99.9) from the name of a group.
func isPercentile(name string) bool {
	return len(name) > 1 && name[0] == 'p' && name[1] >= '0' && name[1] <= '9'
}

// AttrNames lists what can follow the dot.
func (r *Result) AttrNames() []string {
	var names []string
	for _, word := range metricWords() {
		if r.group == "" {
			names = append(names, word)
		} else if rest, ok := strings.CutPrefix(word, r.group+"_"); ok {
			names = append(names, rest)
		}
	}
	if r.group == "" {
		for _, l := range levels() {
			names = append(names, l.name())
		}
		for _, f := range facts() {
			names = append(names, f.name)
		}
		names = append(names, latencyGroups()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// runs is a part for each repetition.
func (r *Result) runs() (starlark.Value, error) {
	sel := r.sel
	var err error
	if sel.Cluster, err = r.rec.onlyCluster(sel.Cluster); err != nil {
		return nil, err
	}
	var out starlark.Tuple
	for i := range r.rec.repetitions(sel.Cluster) {
		sel.Repetition = i
		out = append(out, &Result{rec: r.rec, sel: sel})
	}
	return out, nil
}

func resultCluster(c *call) (starlark.Value, error) {
	r := c.recv.(*Result)
	label := c.str("label", "")
	c.known("label", label, r.rec.labels())
	sel := r.sel
	sel.Cluster = label
	return &Result{rec: r.rec, sel: sel}, nil
}

func resultPhase(c *call) (starlark.Value, error) {
	r := c.recv.(*Result)
	name := c.str("name", "")
	c.known("name", name, r.rec.phases(r.sel.Cluster))
	sel := r.sel
	sel.Phase = name
	return &Result{rec: r.rec, sel: sel}, nil
}

func resultStep(c *call) (starlark.Value, error) {
	r := c.recv.(*Result)
	sel := r.sel
	sel.Step = int(c.integer("i", 1)) - 1
	if sel.Step < 0 {
		c.fail("i", "steps count from 1, got %d", sel.Step+1)
	}
	return &Result{rec: r.rec, sel: sel}, nil
}

func resultOp(c *call) (starlark.Value, error) {
	r := c.recv.(*Result)
	sel := r.sel
	sel.Op = c.str("kind", "")
	return &Result{rec: r.rec, sel: sel}, nil
}

// known refuses a name that is not in the result.
func (c *call) known(arg, name string, names []string) {
	if !slices.Contains(names, name) {
		c.fail(arg, "there is no %q in the result, but: %s%s", name, strings.Join(names, ", "), plan.DidYouMean(name, names))
	}
}

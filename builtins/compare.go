package builtins

import (
	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/compare"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// Compare asks which of two clusters is better in a metric.
type Compare struct {
	object
	plan plan.Compare
}

func compareBuiltin() builtin {
	return builtin{
		signature: "compare(a, b, phase, metric, op=None, step=None, fail_if=None)",
		doc: "Says after the run which of the clusters a and b is better in a metric of a phase, by how much, with the 95 % interval of the difference, or that no difference is shown. " +
			"Runs are the unit, not requests: with fewer than four repetitions of each (repeat = 4) the answer is \"not enough runs\". " +
			"It fails nothing, unless fail_if says which difference of b to a does, as `kvscen compare --fail-if` does: fail_if = \"> +5%\", \"> +2ms\", \"< -100\".",
		make: makeCompare,
	}
}

func makeCompare(c *call) (starlark.Value, error) {
	k := &Compare{plan: plan.Compare{
		Base: c.str("a", ""), New: c.str("b", ""), Phase: c.str("phase", ""), Op: c.str("op", ""),
		Step: c.stepOf(), FailIf: c.str("fail_if", ""), Pos: c.site.pos,
	}}
	for name, label := range map[string]string{"a": k.plan.Base, "b": k.plan.New} {
		if label == "" {
			c.fail(name, "want the label of a cluster")
		}
	}
	word := c.str("metric", "")
	m, ok := metricNamed(word)
	if !ok {
		c.fail("metric", "no such metric: %q%s", word, plan.DidYouMean(word, metricWords()))
	}
	if k.plan.Metric = m.Name; ok && k.plan.FailIf != "" {
		if _, err := compare.ParseCondition(m.Name + " " + k.plan.FailIf); err != nil {
			c.fail("fail_if", "%v", err)
		}
	}
	k.object = c.object()
	return k, nil
}

// stepOf reads the argument step, which counts from 1.
func (c *call) stepOf() int {
	if c.arg("step") == nil {
		return result.Merged
	}
	step := int(c.integer("step", 1)) - 1
	if step < 0 {
		c.fail("step", "steps count from 1, got %d", step+1)
	}
	return step
}

// Attr reads a field.
func (k *Compare) Attr(name string) (starlark.Value, error) { return k.attr(k, name) }

package builtins

import (
	"strings"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// Expect is limits on metrics of a phase, as plain data.
type Expect struct {
	object
	plan plan.Expect
}

func expectBuiltin() builtin {
	return builtin{
		signature: "expect(phase, cluster=None, op=None, step=None, **metrics)",
		doc:       "Limits on metrics of a phase, on each cluster or on one: expect(\"write\", p99 = below(20 * ms)). A limit may be a multiple of a figure of another cluster: expect(\"write\", cluster = \"etcd\", p99 = below(2, of = \"zookeeper\")). A metric's dots are written as underscores: response_p99_9.",
		make:      makeExpect,
		extra:     true,
	}
}

func makeExpect(c *call) (starlark.Value, error) {
	e := &Expect{plan: plan.Expect{
		Phase:   c.str("phase", ""),
		Cluster: c.str("cluster", ""),
		Op:      c.str("op", ""),
		Step:    c.stepOf(),
		Pos:     c.site.pos,
	}}
	if len(c.named) == 0 {
		c.failAs("phase", "say what is expected, as in p99 = below(20 * ms)")
	}
	for _, f := range c.named {
		e.plan.Bounds = append(e.plan.Bounds, c.bound(f, &e.plan))
	}
	e.object = c.object()
	e.fields = append(e.fields, c.named...)
	return e, nil
}

// bound reads one metric and its limit.
func (c *call) bound(f field, e *plan.Expect) plan.Bound {
	m, ok := metricNamed(f.name)
	if !ok {
		c.fail(f.name, "no such metric or argument%s", plan.DidYouMean(f.name, append(metricWords(), "phase", "cluster", "op", "step")))
		return plan.Bound{}
	}
	l, ok := f.value.(*Limit)
	if !ok {
		c.fail(f.name, "want below(limit) or above(limit), got %s", describe(f.value))
		return plan.Bound{}
	}
	limit, isDuration := l.number()
	of := l.figure(e, m)
	switch {
	case of != nil:
		c.comparable(f.name, m, of)
	case m.Unit == result.UnitNanoseconds && !isDuration:
		c.fail(f.name, "is a latency: give the limit a unit, as in %s * ms", l.limit)
	case m.Unit == result.UnitSeconds && isDuration:
		limit /= 1e9
	case m.Unit != result.UnitNanoseconds && isDuration:
		c.fail(f.name, "is no latency, but in %s: want a number, got %s", m.Unit, l.limit)
	}
	return plan.Bound{Metric: m.Name, Above: l.above, Limit: limit, Of: of, Pos: l.site.pos}
}

// comparable refuses a figure of another unit as the measure of a limit.
func (c *call) comparable(name string, m result.MetricInfo, of *plan.Figure) {
	if other, _ := metricNamed(of.Metric); other.Unit != m.Unit {
		c.fail(name, "is in %s and %s in %s: they can't be compared", m.Unit, of.Metric, other.Unit)
	}
}

// metricWord is a metric's name as a Starlark identifier.
func metricWord(name string) string { return strings.ReplaceAll(name, ".", "_") }

func metricWords() []string {
	var words []string
	for _, m := range result.Metrics() {
		words = append(words, metricWord(m.Name))
	}
	return words
}

// metricNamed finds a metric by its own name or by its word.
func metricNamed(name string) (result.MetricInfo, bool) {
	for _, m := range result.Metrics() {
		if m.Name == name || metricWord(m.Name) == name {
			return m, true
		}
	}
	return result.MetricInfo{}, false
}

// Attr reads a field.
func (e *Expect) Attr(name string) (starlark.Value, error) { return e.attr(e, name) }

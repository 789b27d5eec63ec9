package builtins

import (
	"cmp"
	"time"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// Limit is a bound on a metric: a number, or a duration for a latency; or a
// multiple of another figure.
type Limit struct {
	object
	above bool
	limit starlark.Value
	of    plan.Figure // what is left empty is as in the expectation
}

// factorDoc is said of both words.
const factorDoc = " With of, phase, op, step or metric the limit is a multiple of that figure; what is left out is as in the expectation. A cluster is not measured by itself: an expectation on all of them leaves the one out that of names."

func belowBuiltin() builtin {
	return builtin{
		signature: "below(limit, of=None, phase=None, op=None, step=None, metric=None)",
		doc:       "The metric must be smaller: p99 = below(20 * ms), or p99 = below(2, of = \"zookeeper\") for less than twice that of another cluster." + factorDoc,
		make:      makeBelow,
	}
}

func aboveBuiltin() builtin {
	return builtin{
		signature: "above(limit, of=None, phase=None, op=None, step=None, metric=None)",
		doc:       "The metric must be larger: throughput = above(5000), or throughput = above(0.8, of = \"etcd\") for more than four fifths of another cluster's." + factorDoc,
		make:      makeAbove,
	}
}

func makeBelow(c *call) (starlark.Value, error) { return c.limit(false) }
func makeAbove(c *call) (starlark.Value, error) { return c.limit(true) }

func (c *call) limit(above bool) (starlark.Value, error) {
	l := &Limit{above: above, limit: c.arg("limit")}
	switch l.limit.(type) {
	case Duration, starlark.String:
		l.limit = Duration(c.duration("limit", 0))
	default:
		c.number("limit", 0)
		if l.limit == nil {
			c.fail("limit", "want a number or a duration")
		}
	}
	l.readFigure(c)
	l.object = c.object()
	return l, nil
}

// readFigure reads what the limit is a multiple of, if anything.
func (l *Limit) readFigure(c *call) {
	l.of = plan.Figure{Cluster: c.str("of", ""), Phase: c.str("phase", ""), Op: c.str("op", ""), Step: c.stepOf()}
	if word := c.str("metric", ""); word != "" {
		m, ok := metricNamed(word)
		if !ok {
			c.fail("metric", "no such metric: %q%s", word, plan.DidYouMean(word, metricWords()))
		}
		l.of.Metric = m.Name
	}
	if factor, isDuration := l.number(); l.relative() && (isDuration || factor <= 0) {
		c.fail("limit", "is a multiple of another figure: want a number above 0, got %s", l.limit)
	}
}

// relative reports whether the limit is a multiple of another figure.
func (l *Limit) relative() bool { return l.of != plan.Figure{Step: result.Merged} }

// figure is what the limit is a multiple of, seen from an expectation on a
// metric; nil: it stands by itself. Another phase has operations and steps of
// its own.
func (l *Limit) figure(e *plan.Expect, m result.MetricInfo) *plan.Figure {
	if !l.relative() {
		return nil
	}
	of := l.of
	of.Metric = cmp.Or(of.Metric, m.Name)
	if of.Phase != "" && of.Phase != e.Phase {
		return &of
	}
	of.Phase, of.Op = e.Phase, cmp.Or(of.Op, e.Op)
	if of.Step == result.Merged {
		of.Step = e.Step
	}
	return &of
}

// number is the limit as a plain number, a duration in nanoseconds.
func (l *Limit) number() (f float64, isDuration bool) {
	if d, ok := l.limit.(Duration); ok {
		return float64(time.Duration(d).Nanoseconds()), true
	}
	f, _ = starlark.AsFloat(l.limit)
	return f, false
}

// Attr reads a field.
func (l *Limit) Attr(name string) (starlark.Value, error) { return l.attr(l, name) }

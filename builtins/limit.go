package builtins

import (
	"time"

	"go.starlark.net/starlark"
)

// Limit is a bound on a metric: a number, or a duration for a latency.
type Limit struct {
	object
	above bool
	limit starlark.Value
}

func belowBuiltin() builtin {
	return builtin{signature: "below(limit)", doc: "The metric must be smaller: p99 = below(20 * ms).", make: makeBelow}
}

func aboveBuiltin() builtin {
	return builtin{signature: "above(limit)", doc: "The metric must be larger: throughput = above(5000).", make: makeAbove}
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
	l.object = c.object()
	return l, nil
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

package builtins

import (
	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

// Ramp is a rate that changes steadily and then stays.
type Ramp struct {
	object
	rate plan.Rate
}

func rampBuiltin() builtin {
	return builtin{
		signature: "ramp(a, b, over)",
		doc:       "A rate that goes from a to b requests a second over the given time, and stays there.",
		make:      makeRamp,
		defers:    true,
	}
}

func makeRamp(c *call) (starlark.Value, error) {
	r := &Ramp{rate: plan.Rate{From: c.number("a", 0), To: c.number("b", 0), Over: c.duration("over", 0)}}
	if r.rate.From < 0 {
		c.fail("a", "must not be negative, got %v", r.rate.From)
	}
	if r.rate.To <= 0 {
		c.fail("b", "must be above zero, got %v", r.rate.To)
	}
	if r.rate.Over <= 0 {
		c.fail("over", "must be above zero, got %v", r.rate.Over)
	}
	r.object = c.object()
	return r, nil
}

// Attr reads a field.
func (r *Ramp) Attr(name string) (starlark.Value, error) { return r.attr(r, name) }

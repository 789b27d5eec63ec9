package builtins

import (
	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

// Value is how values are made.
type Value struct {
	object
	plan plan.Value
}

func valueBuiltin() builtin {
	return builtin{
		signature: "value(size, compressible=0)",
		doc:       "Values of size bytes (a number, uniform(), normal() or histogram()), fresh for each request; compressible is the share of each that is zeros.",
		make:      makeValue,
		defers:    true,
	}
}

func makeValue(c *call) (starlark.Value, error) {
	v := plan.Value{Compressible: c.share("compressible", 0)}
	switch size := c.arg("size").(type) {
	case *Size:
		v.Size = size.plan
	case starlark.Int, starlark.Float:
		n := c.integer("size", 0)
		if n < 0 {
			c.fail("size", "must not be negative, got %d", n)
		}
		v.Size = plan.Size{Kind: "fixed", A: float64(n)}
	default:
		c.fail("size", "want a number of bytes, uniform(), normal() or histogram()")
	}
	return &Value{object: c.object(), plan: v}, nil
}

// Attr reads a field.
func (v *Value) Attr(name string) (starlark.Value, error) { return v.attr(v, name) }

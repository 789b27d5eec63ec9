package builtins

import (
	"math"

	"go.starlark.net/starlark"
)

func geometricBuiltin() builtin {
	return builtin{
		signature: "geometric(a, b, factor)",
		doc:       "A list of whole numbers from a to at most b, each factor times the one before: geometric(1, 1000, 10) is [1, 10, 100, 1000].",
		make:      makeGeometric,
	}
}

// maxGeometric bounds the way from a to b, which a factor close to 1 would make
// endless.
const maxGeometric = 1000

func makeGeometric(c *call) (starlark.Value, error) {
	a, b, factor := c.number("a", 0), c.number("b", 0), c.number("factor", 0)
	if a < 1 {
		c.fail("a", "must be at least 1, got %v", a)
	}
	if b < a {
		c.fail("b", "must not be below a, got %v", b)
	}
	if factor <= 1 {
		c.fail("factor", "must be above 1, got %v", factor)
	}
	if c.err != nil {
		return nil, c.err
	}
	var out []starlark.Value
	last := int64(0)
	f := a
	for range maxGeometric {
		if f > b*(1+1e-9) {
			return starlark.NewList(out), nil
		}
		if n := int64(math.Round(f)); n != last { // small numbers round to the same
			out = append(out, starlark.MakeInt64(n))
			last = n
		}
		f *= factor
	}
	c.fail("factor", "takes more than %d steps from a to b", maxGeometric)
	return nil, nil
}

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

// maxGeometric bounds the list; a factor close to 1 would make it endless.
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
	for f := a; f <= b*(1+1e-9); f *= factor {
		n := int64(math.Round(f))
		if n != last {
			out = append(out, starlark.MakeInt64(n))
		}
		last = n
		if len(out) > maxGeometric {
			c.fail("factor", "makes more than %d numbers", maxGeometric)
			return nil, nil
		}
	}
	return starlark.NewList(out), nil
}

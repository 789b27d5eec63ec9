package builtins

import (
	"math"
	"time"

	"go.starlark.net/starlark"
)

func roundBuiltin() builtin {
	return builtin{signature: "round(x, digits=0)", doc: "The nearest number with so many digits after the point, a whole number without; of a duration, with so many digits of milliseconds.", make: makeRound}
}

func makeRound(c *call) (starlark.Value, error) {
	digits := c.integer("digits", 0)
	if digits < 0 || digits > 15 {
		c.fail("digits", "must lie between 0 and 15, got %d", digits)
		return nil, nil
	}
	scale := math.Pow10(int(digits))
	if n, ok := c.arg("x").(notKnown); ok {
		return n, nil
	}
	if d, ok := c.arg("x").(Duration); ok {
		return Duration(time.Duration(d).Round(max(1, time.Duration(float64(time.Millisecond)/scale)))), nil
	}
	if n, ok := c.arg("x").(starlark.Int); ok {
		return n, nil
	}
	f := c.number("x", 0)
	if digits == 0 {
		return starlark.NumberToInt(starlark.Float(math.Round(f)))
	}
	return starlark.Float(math.Round(f*scale) / scale), nil
}

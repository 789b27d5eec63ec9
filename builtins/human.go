package builtins

import (
	"time"

	"github.com/dustin/go-humanize"
	"go.starlark.net/starlark"
)

func humanBuiltin() builtin {
	return builtin{signature: `human(x, unit="")`, doc: `A number or duration as people read it: "1,000,000", "2.4ms"; with unit "B" as bytes, "1.3 GB".`, make: makeHuman}
}

var humanUnits = [...]string{"", "B"}

func makeHuman(c *call) (starlark.Value, error) {
	unit := c.str("unit", "")
	c.oneOf("unit", unit, humanUnits[:])
	if n, ok := c.arg("x").(notKnown); ok {
		return starlark.String(n.String()), nil
	}
	if d, ok := c.arg("x").(Duration); ok {
		return starlark.String(time.Duration(d).Round(roundingOf(time.Duration(d))).String()), nil
	}
	f := c.number("x", 0)
	switch {
	case unit == "B" && f >= 0:
		return starlark.String(humanize.Bytes(uint64(f))), nil
	case unit == "B":
		c.fail("x", "bytes can't be negative, got %v", f)
	}
	if n, err := wholeNumber(c.arg("x")); err == nil {
		return starlark.String(humanize.Comma(n)), nil
	}
	return starlark.String(humanize.CommafWithDigits(f, 3)), nil
}

// roundingOf keeps about three digits of a duration.
func roundingOf(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d.Abs() >= unit*1000 && unit < time.Second {
		unit *= 10
	}
	return unit
}

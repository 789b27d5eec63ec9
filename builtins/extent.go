package builtins

import (
	"time"

	"go.starlark.net/starlark"
)

// An extent is a length in time or in requests; at most one is set.
type extent struct {
	requests uint64
	duration time.Duration
}

// extent reads a duration or a count. Both must be above zero, or absent; 0
// stands for absent.
func (c *call) extent(name string) extent {
	switch v := c.arg(name).(type) {
	case nil:
		return extent{}
	case Duration, starlark.String:
		d := c.duration(name, 0)
		if d < 0 {
			c.fail(name, "must not be negative, got %v", d)
		}
		return extent{duration: d}
	case starlark.Int, starlark.Float:
		n := c.integer(name, 0)
		if n < 0 {
			c.fail(name, "must not be negative, got %d", n)
		}
		return extent{requests: uint64(max(n, 0))}
	default:
		c.fail(name, "want a duration or a number of requests, got %s", describe(v))
	}
	return extent{}
}

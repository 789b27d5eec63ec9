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
		signature: "value(size, compressible=0, checksum=False)",
		doc:       "Values of size bytes (a number, uniform(), normal() or histogram()), fresh for each request; compressible is the share of each that is zeros; with checksum, the last 8 bytes are the CRC-32C of the key and of all before, made before the request begins, for get(keys, checksum = True).",
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
	if v.Checksum = c.boolean("checksum", false); v.Checksum && c.err == nil && v.Size.Min() < plan.ChecksumBytes {
		c.fail("size", "a checksum takes the last %d bytes of a value, and values may have %v bytes", plan.ChecksumBytes, v.Size.Min())
	}
	return &Value{object: c.object(), plan: v}, nil
}

// Attr reads a field.
func (v *Value) Attr(name string) (starlark.Value, error) { return v.attr(v, name) }

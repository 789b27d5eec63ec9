package builtins

import (
	"time"

	"go.starlark.net/starlark"
)

// str reads a string, or a reference of a recipe. An absent one reads as None
// in the fields, unless it has a default.
func (c *call) str(name, def string) string {
	switch v := c.arg(name).(type) {
	case nil:
		if def != "" {
			c.set(name, starlark.String(def))
		}
		return def
	case starlark.String:
		return string(v)
	case Ref:
		return v.String()
	default:
		c.fail(name, "want a string, got %s", describe(v))
		return def
	}
}

// boolean reads True or False.
func (c *call) boolean(name string, def bool) bool {
	switch v := c.arg(name).(type) {
	case nil:
		c.set(name, starlark.Bool(def))
		return def
	case starlark.Bool:
		return bool(v)
	default:
		c.fail(name, "want True or False, got %s", describe(v))
		return def
	}
}

// integer reads a whole number; 0.5 * M is one.
func (c *call) integer(name string, def int64) int64 {
	v := c.arg(name)
	if v == nil {
		c.set(name, starlark.MakeInt64(def))
		return def
	}
	n, err := wholeNumber(v)
	if err != nil {
		c.fail(name, "%v", err)
		return def
	}
	c.set(name, starlark.MakeInt64(n))
	return n
}

// count reads a whole number that is not negative. An absent one is left
// absent in the fields.
func (c *call) count(name string) uint64 {
	if c.arg(name) == nil {
		return 0
	}
	n := c.integer(name, 0)
	if n <= 0 && c.err == nil {
		c.fail(name, "must be at least 1, got %d", n)
	}
	return uint64(max(n, 0))
}

// number reads a whole or fractional number.
func (c *call) number(name string, def float64) float64 {
	v := c.arg(name)
	if v == nil {
		c.set(name, starlark.Float(def))
		return def
	}
	f, err := realNumber(v)
	if err != nil {
		c.fail(name, "%v", err)
	}
	return f
}

// duration reads a duration, or a string such as "1m30s".
func (c *call) duration(name string, def time.Duration) time.Duration {
	v := c.arg(name)
	if v == nil {
		c.set(name, Duration(def))
		return def
	}
	d, err := toDuration(v)
	if err != nil {
		c.fail(name, "%v", err)
		return def
	}
	c.set(name, Duration(d))
	return d
}

// list reads the elements of a list or tuple; absent is empty.
func (c *call) list(name string) []starlark.Value {
	v := c.arg(name)
	if v == nil {
		c.set(name, starlark.Tuple{})
		return nil
	}
	elems, ok := elements(v)
	if !ok {
		c.fail(name, "want a list of at most %d elements, got %s", maxElements, describe(v))
	}
	return elems
}

// strs reads a list of strings, references and whole numbers as strings.
func (c *call) strs(name string) []string {
	var out []string
	for i, v := range c.list(name) {
		s, ok := text(v)
		if !ok {
			c.fail(name, "element %d: want a string, got %s", i, describe(v))
		}
		out = append(out, s)
	}
	return out
}

// texts reads a dict from strings to strings; absent is nil.
func (c *call) texts(name string) map[string]string {
	v := c.arg(name)
	if v == nil {
		c.set(name, starlark.NewDict(0))
		return nil
	}
	d, ok := v.(*starlark.Dict)
	if !ok {
		c.fail(name, "want a dict, got %s", describe(v))
		return nil
	}
	out := make(map[string]string, d.Len())
	for _, item := range d.Items() {
		k, ok1 := text(item[0])
		s, ok2 := text(item[1])
		if !ok1 || !ok2 {
			c.fail(name, "want strings as keys and values, got %s: %s", describe(item[0]), describe(item[1]))
		}
		out[k] = s
	}
	return out
}

// one reads an argument of a given Go type; what names it in the message.
func one[T starlark.Value](c *call, name, what string) T {
	v := c.arg(name)
	t, ok := v.(T)
	if v != nil && !ok {
		c.fail(name, "want %s, got %s", what, describe(v))
	}
	return t
}

// all reads a list of values of a given Go type.
func all[T starlark.Value](c *call, name, what string) []T {
	var out []T
	for i, v := range c.list(name) {
		t, ok := v.(T)
		if !ok {
			c.fail(name, "element %d: want %s, got %s", i, what, describe(v))
		}
		out = append(out, t)
	}
	return out
}

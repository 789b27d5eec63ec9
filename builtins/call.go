package builtins

import (
	"go.starlark.net/starlark"
)

// A call is one use of a builtin with its arguments bound. The accessors read
// an argument as a Go value; the first thing wrong is kept and returned by run,
// so that a constructor reads all its arguments without looking at each.
type call struct {
	fn     *builtin
	params []param
	values []starlark.Value // by params; nil: not given
	named  []field          // further named arguments, where fn.extra
	recv   starlark.Value   // of a method
	thread *starlark.Thread // of the call; has ended when a deferred call is carried out
	site   site
	err    error
}

// run makes the value.
func (c *call) run() (starlark.Value, error) {
	v, err := c.fn.make(c)
	if c.err != nil {
		return nil, c.err
	}
	return v, err
}

// fail keeps the first error about an argument, which the message names.
func (c *call) fail(name, format string, args ...any) { c.failAs(name, name+": "+format, args...) }

// failAs keeps the first error about an argument, in words of its own.
func (c *call) failAs(name, format string, args ...any) {
	if c.err == nil {
		c.err = c.blame(name, format, args...)
	}
}

func (c *call) index(name string) int {
	for i, p := range c.params {
		if p.name == name {
			return i
		}
	}
	panic("builtins: " + c.fn.signature + " has no parameter " + name) // a fault of this package
}

// arg is the argument, or nil where it is absent or None.
func (c *call) arg(name string) starlark.Value {
	if v := c.values[c.index(name)]; v != starlark.None {
		return v
	}
	return nil
}

// set replaces an argument by what it was understood as, which is what its
// field then reads.
func (c *call) set(name string, v starlark.Value) { c.values[c.index(name)] = v }

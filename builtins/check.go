package builtins

import (
	"go.starlark.net/starlark"
)

// Check is a function that judges the result.
type Check struct{ afterwards }

func checkBuiltin() builtin {
	return builtin{
		signature: "check(name, fn)",
		doc:       "What expect can't say: fn is called with the result after the run and returns True, False, or a text that says what is wrong.",
		make:      makeCheck,
	}
}

func makeCheck(c *call) (starlark.Value, error) { return &Check{c.afterwards()}, nil }

// Attr reads a field.
func (k *Check) Attr(name string) (starlark.Value, error) { return k.attr(k, name) }

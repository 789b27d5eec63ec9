package builtins

import (
	"go.starlark.net/starlark"
)

// Check is a function that judges the result.
type Check struct {
	object
	name     string
	fn       starlark.Callable
	captured []starlark.Value // free variables of fn as they were when check was called
}

func checkBuiltin() builtin {
	return builtin{
		signature: "check(name, fn)",
		doc:       "What expect can't say: fn is called with the result after the run and returns True, False, or a text that says what is wrong.",
		make:      makeCheck,
	}
}

func makeCheck(c *call) (starlark.Value, error) {
	k := &Check{name: c.str("name", ""), fn: one[starlark.Callable](c, "fn", "a function")}
	switch fn := k.fn.(type) {
	case nil:
		c.fail("fn", "want a function")
	case *starlark.Function:
		for i := range fn.NumFreeVars() {
			_, v := fn.FreeVar(i)
			k.captured = append(k.captured, v)
		}
		if required := requiredParams(fn); fn.NumParams() == 0 || required > 1 {
			c.fail("fn", "the function is called with one argument, the result; it takes %d", max(required, fn.NumParams()))
		}
	}
	k.object = c.object()
	return k, nil
}

// requiredParams counts the parameters without a default.
func requiredParams(fn *starlark.Function) int {
	n := 0
	for i := range fn.NumParams() {
		if fn.ParamDefault(i) == nil {
			n++
		}
	}
	if fn.HasVarargs() {
		n--
	}
	if fn.HasKwargs() {
		n--
	}
	return n
}

// changed names a variable that the function sees and that has changed since
// check was called: that of a loop. All functions of the loop would see its
// last value.
func (k *Check) changed() (name string, ok bool) {
	fn, isFunction := k.fn.(*starlark.Function)
	if !isFunction {
		return "", false
	}
	for i, was := range k.captured {
		binding, is := fn.FreeVar(i)
		if same, err := starlark.Equal(was, is); was != is && (err != nil || !same) {
			return binding.Name, true
		}
	}
	return "", false
}

// Attr reads a field.
func (k *Check) Attr(name string) (starlark.Value, error) { return k.attr(k, name) }

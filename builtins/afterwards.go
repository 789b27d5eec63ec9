package builtins

import (
	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

// Function is a function of the scenario to call after the run.
type Function struct {
	Kind string // the word that took it: "check" or "report"
	Name string
	Fn   starlark.Callable
	Pos  plan.Pos
}

// afterwards is what check and report share: a function to call with the
// result, and its name.
type afterwards struct {
	object
	name     string
	fn       starlark.Callable
	captured []starlark.Value // free variables of fn as they were when it was given
}

// afterwards reads the arguments name and fn.
func (c *call) afterwards() afterwards {
	a := afterwards{name: c.str("name", ""), fn: one[starlark.Callable](c, "fn", "a function")}
	switch fn := a.fn.(type) {
	case nil:
		c.fail("fn", "want a function")
	case *starlark.Function:
		for i := range fn.NumFreeVars() {
			_, v := fn.FreeVar(i)
			a.captured = append(a.captured, v)
		}
		if required := requiredParams(fn); fn.NumParams() == 0 || required > 1 {
			c.fail("fn", "the function is called with one argument, the result; it takes %d", max(required, fn.NumParams()))
		}
	}
	a.object = c.object()
	return a
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

// changed names a variable that the function sees and that has changed since it
// was given: that of a loop. All functions of the loop would see its last value.
func (a *afterwards) changed() (name string, ok bool) {
	fn, isFunction := a.fn.(*starlark.Function)
	if !isFunction {
		return "", false
	}
	for i, was := range a.captured {
		binding, is := fn.FreeVar(i)
		if same, err := starlark.Equal(was, is); was != is && (err != nil || !same) {
			return binding.Name, true
		}
	}
	return "", false
}

// function gives what is kept for after the run, and refuses a function that
// would see the last value of a loop variable.
func (b *builder) function(a *afterwards) Function {
	if name, ok := a.changed(); ok {
		b.problem(&a.object, "fn", "fn: the function sees the variable %s, which went on changing after %s was called: all such functions would see its last value; hand it over as a default, as in lambda r, %s = %s: ...", name, a.kind, name, name)
	}
	return Function{Kind: a.kind, Name: a.name, Fn: a.fn, Pos: a.site.pos}
}

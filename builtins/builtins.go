// Package builtins is the vocabulary of a scenario.
package builtins

import (
	"errors"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

var errSkeleton = errors.New("not built yet")

// Scenario is what main returned, as a plan.
type Scenario struct {
	Plan   *plan.Plan
	Checks []CheckFn
}

// CheckFn is a function to call after the run.
type CheckFn struct {
	Name string
	Fn   starlark.Callable
	Pos  plan.Pos
}

// Vocabulary gives every predeclared name.
func Vocabulary(specs []drivers.Spec, stores starlark.Value) starlark.StringDict {
	return starlark.StringDict{"stores": stores}
}

// Stores is the mapping of recipe names.
func Stores(names []string, load func(thread *starlark.Thread, name string) (starlark.Value, error)) starlark.Value {
	return starlark.NewDict(0)
}

// ParseParam reads the text of --set by the type of the default.
func ParseParam(text string, def starlark.Value) (starlark.Value, error) {
	return nil, errSkeleton
}

// Build makes the plan of a scenario value.
func Build(v starlark.Value, specs []drivers.Spec) (*Scenario, []plan.Problem, error) {
	return nil, nil, errSkeleton
}

// Evaluate judges a finished run.
func Evaluate(p *plan.Plan, checks []CheckFn, r *result.Run, call func(fn starlark.Callable, arg starlark.Value) (starlark.Value, error), sourceLine func(plan.Pos) string) []result.Verdict {
	return nil
}

package builtins

import (
	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// Evaluate judges a finished run by the expectations of the plan and the
// functions of its checks, in this order. call runs a function of the scenario;
// sourceLine is the line of the scenario at a place.
func Evaluate(p *plan.Plan, checks []CheckFn, r *result.Run, call func(fn starlark.Callable, arg starlark.Value) (starlark.Value, error), sourceLine func(plan.Pos) string) []result.Verdict {
	var out []result.Verdict
	add := func(v result.Verdict, pos plan.Pos) {
		v.Where, v.Line = pos.String(), sourceLine(pos)
		out = append(out, v)
	}
	for i := range p.Expects {
		add(judgeExpect(&p.Expects[i], p, r), p.Expects[i].Pos)
	}
	for _, c := range checks {
		add(judgeCheck(c, r, call), c.Pos)
	}
	return out
}

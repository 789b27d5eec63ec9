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
	for i := range p.Expects {
		out = append(out, judgeExpect(&p.Expects[i], p, r))
	}
	for _, c := range checks {
		out = append(out, judgeCheck(c, r, call))
	}
	places := make([]plan.Pos, 0, len(out))
	for _, e := range p.Expects {
		places = append(places, e.Pos)
	}
	for _, c := range checks {
		places = append(places, c.Pos)
	}
	for i, pos := range places {
		out[i].Where, out[i].Line = pos.String(), sourceLine(pos)
	}
	return out
}

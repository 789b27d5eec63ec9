package builtins

import (
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"

	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// Finished is a run that has ended, and what is needed to call functions of the
// scenario with it.
type Finished struct {
	Plan       *plan.Plan
	Run        *result.Run
	Params     starlark.StringDict // of main, as they were given
	Call       func(fn starlark.Callable, arg starlark.Value) (starlark.Value, error)
	SourceLine func(plan.Pos) string // the line of the scenario at a place
}

// Verdicts judges the run by the expectations of the plan, the functions of its
// checks and its comparisons, in this order.
func (f *Finished) Verdicts(checks []Function) []result.Verdict {
	var out []result.Verdict
	add := func(v result.Verdict, pos plan.Pos) {
		v.Where, v.Line = pos.String(), f.SourceLine(pos)
		out = append(out, v)
	}
	for i := range f.Plan.Expects {
		add(f.judgeExpect(&f.Plan.Expects[i]), f.Plan.Expects[i].Pos)
	}
	for _, c := range checks {
		add(f.judge(c), c.Pos)
	}
	for i := range f.Plan.Compares {
		add(f.compare(&f.Plan.Compares[i]), f.Plan.Compares[i].Pos)
	}
	return out
}

// recorder is a new view of the run.
func (f *Finished) recorder() *recorder {
	params := starlarkstruct.FromStringDict(starlarkstruct.Default, f.Params)
	params.Freeze()
	return &recorder{run: f.Run, plan: f.Plan, params: params}
}

package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kvscen/kvscen/builtins"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/lang"
)

// locate finds the argument that each problem of a plan is about.
func locate(f *lang.File, problems []plan.Problem) *lang.Diagnostics {
	places := parameterPlaces(builtins.Reference())
	ds := make(lang.Diagnostics, len(problems))
	for i, p := range problems {
		index := func(function string) int { return slices.Index(places[function], p.Arg) }
		if p.Pos == (plan.Pos{}) {
			ds[i] = f.LocateGlobal("main", p.Text)
			continue
		}
		ds[i] = f.Locate(p.Pos.File, p.Pos.Line, p.Pos.Col, p.Arg, p.Text, index)
	}
	return &ds
}

// loopVariables refuses functions for after the run that see a variable of a loop, however
// often the loop was gone through. Those that are among the known problems, as
// the variable has changed, are passed over.
func loopVariables(f *lang.File, functions []builtins.Function, known []plan.Problem) []plan.Problem {
	var found []plan.Problem
	for _, c := range functions {
		name, ok := f.LoopVariable(c.Fn)
		if !ok || slices.ContainsFunc(known, func(p plan.Problem) bool { return p.Pos == c.Pos && p.Arg == "fn" }) {
			continue
		}
		found = append(found, plan.Problem{Pos: c.Pos, Arg: "fn", Text: fmt.Sprintf(
			"%s: fn: the function sees the variable %s of a loop: with a second pass all such functions would see its last value; hand it over as a default, as in lambda r, %s = %s: ...", c.Kind, name, name, name)})
	}
	return found
}

// parameterPlaces lists the parameters of each builtin in their order, read
// from the signatures of the reference.
func parameterPlaces(words []builtins.Word) map[string][]string {
	places := map[string][]string{}
	for _, w := range words {
		name, list, _ := strings.Cut(w.Signature, "(")
		for param := range strings.SplitSeq(strings.TrimSuffix(list, ")"), ", ") {
			param, _, _ = strings.Cut(param, "=")
			places[name] = append(places[name], param)
		}
		for method, params := range parameterPlaces(w.Methods) {
			places[method] = params
		}
	}
	return places
}

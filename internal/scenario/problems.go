package scenario

import (
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

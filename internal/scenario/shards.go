package scenario

import (
	"slices"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/builtins"
	"github.com/kvscen/kvscen/internal/result"
)

// Union gives the parameters of a run of everything that runs with these did: the
// same values, and of lists that differ the elements of all. It reports false
// where another kind of parameter differs.
func Union(sets [][]result.Param) ([]result.Param, bool) {
	union := slices.Clone(sets[0])
	for _, set := range sets[1:] {
		if len(set) != len(union) {
			return nil, false
		}
		for i, p := range set {
			if p.Name != union[i].Name {
				return nil, false
			}
			if p.Value == union[i].Value {
				continue
			}
			value, ok := joined(union[i].Value, p.Value)
			if !ok {
				return nil, false
			}
			union[i].Value = value
		}
	}
	return union, true
}

// joined is one list with the elements of two, each once.
func joined(a, b string) (string, bool) {
	first, err := builtins.ParseStored(a)
	if err != nil {
		return "", false
	}
	second, err := builtins.ParseStored(b)
	if err != nil {
		return "", false
	}
	list, isList := first.(*starlark.List)
	more, isListToo := second.(*starlark.List)
	if !isList || !isListToo {
		return "", false
	}
	var elems []starlark.Value
	for _, l := range []*starlark.List{list, more} {
		for i := range l.Len() {
			v := l.Index(i)
			if !slices.ContainsFunc(elems, func(e starlark.Value) bool { return e.String() == v.String() }) {
				elems = append(elems, v)
			}
		}
	}
	return starlark.NewList(elems).String(), true
}

// Covers reports whether the plan does to each cluster of another one the same as
// that does.
func (s *Scenario) Covers(other *Scenario) bool {
	for i := range other.Plan.Runs {
		label := other.Plan.Runs[i].Cluster.Label
		if runOf(s, label) == "" || runOf(s, label) != runOf(other, label) {
			return false
		}
	}
	return s.Plan.Seed == other.Plan.Seed
}

// runOf is what is done to a cluster, with its keys, as text; empty: there is none.
func runOf(s *Scenario, label string) string {
	p := *s.Plan
	for _, r := range s.Plan.Runs {
		if r.Cluster.Label != label {
			continue
		}
		p.Runs = p.Runs[:0:0]
		p.Runs = append(p.Runs, r)
		p.Title, p.Order = "", ""
		p.Expects, p.Checks, p.Compares, p.Reports, p.Params, p.Repeat = nil, nil, nil, nil, nil, 1
		return p.Hash()
	}
	return ""
}

// Repeated lets the scenario be judged by a result of so many repetitions.
func (s *Scenario) Repeated(n int) { s.Plan.Repeat = max(1, n) }

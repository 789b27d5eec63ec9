package builtins

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

// A fact is what a part of the result is: its name and settings, and the parts
// that it has itself.
type fact struct {
	name, doc string
	of        func(*Result) (starlark.Value, error)
}

func facts() []fact {
	return []fact{
		{"params", "The parameters of main as they were given: `r.params.clients`.", (*Result).params},
		{"clusters", "A part for each cluster, in the order of the scenario.", (*Result).clusters},
		{"label", "Name of the cluster.", (*Result).label},
		{"driver", "Name of the cluster's driver.", (*Result).driver},
		{"version", "Version of the store, from the server itself.", (*Result).version},
		{"phases", "A part for each phase.", (*Result).phases},
		{"name", "Name of the phase.", (*Result).name},
		{"role", "`\"measure\"` or `\"load\"`.", (*Result).role},
		{"steps", "A part for each step of the phase.", (*Result).steps},
		{"number", "Number of the step, from 1.", (*Result).number},
		{"clients", "Clients of the step, or of all steps if it is the same.", (*Result).clients},
		{"connections", "Connections of the step, likewise.", (*Result).connections},
		{"rate", "Requests due a second in the step, likewise; of a ramp where it ends; None in a closed loop.", (*Result).rate},
		{"ops", "A part for each operation of the phase.", (*Result).ops},
		{"kind", "Name of the operation: `\"put\"`, `\"get\"` ...", (*Result).kind},
		{"samples", "The latency of each ok request as a list, where the phase kept them: `phase(samples = True)`, or at most 10,000 requests.", (*Result).samples},
		{"runs", "A part for each repetition; what is not narrowed down to one is of all, merged.", (*Result).runs},
	}
}

// ResultReference describes what functions are called with after the run, and
// what can follow its dot besides the metrics.
func ResultReference() Word {
	w := Word{Signature: "r", Doc: `What the functions of check and report are called with. It is narrowed down level by level; a level left
out stands for all, or for the only one. What follows is a figure of [metrics.md](metrics.md), its dots
written as underscores (` + "`.p99_9`" + `), or a set of latencies (` + "`.service.p99`" + `). A figure that can't be known, or
whose part of the plan never ran, is n/a: what is reckoned with it is n/a too, a check that reads it is
unknown, and a table prints it as n/a with the reason below.`}
	w.Methods = words(levels())
	for _, f := range facts() {
		w.Methods = append(w.Methods, Word{Signature: f.name, Doc: f.doc})
	}
	return w
}

func (r *Result) params() (starlark.Value, error) { return r.rec.params, nil }

func (r *Result) clusters() (starlark.Value, error) {
	return r.parts(r.rec.labels(), func(s *Result, label string) { s.sel.Cluster = label })
}

func (r *Result) phases() (starlark.Value, error) {
	return r.parts(r.rec.phases(r.sel.Cluster), func(s *Result, name string) { s.sel.Phase = name })
}

func (r *Result) ops() (starlark.Value, error) {
	p, err := r.phasePlan()
	if err != nil {
		return nil, err
	}
	return r.parts(p.OpNames(), func(s *Result, name string) { s.sel.Op = name })
}

// parts narrows r down to each of the names.
func (r *Result) parts(names []string, narrow func(*Result, string)) (starlark.Value, error) {
	var out starlark.Tuple
	for _, name := range names {
		part := &Result{rec: r.rec, sel: r.sel}
		narrow(part, name)
		out = append(out, part)
	}
	return out, nil
}

func (r *Result) steps() (starlark.Value, error) {
	p, err := r.phasePlan()
	if err != nil {
		return nil, err
	}
	var out starlark.Tuple
	for i := range p.Steps {
		part := &Result{rec: r.rec, sel: r.sel}
		part.sel.Step = i
		out = append(out, part)
	}
	return out, nil
}

func (r *Result) label() (starlark.Value, error) {
	label, err := r.rec.onlyCluster(r.sel.Cluster)
	return starlark.String(label), err
}

func (r *Result) driver() (starlark.Value, error) {
	label, err := r.rec.onlyCluster(r.sel.Cluster)
	if err != nil {
		return nil, err
	}
	return starlark.String(r.rec.planOf(label).Cluster.Driver), nil
}

func (r *Result) version() (starlark.Value, error) {
	label, err := r.rec.onlyCluster(r.sel.Cluster)
	if err != nil {
		return nil, err
	}
	for _, c := range r.rec.run.Clusters {
		if c.Label == label && c.Version != "" {
			return starlark.String(c.Version), nil
		}
	}
	return notKnown{"version not known"}, nil
}

func (r *Result) name() (starlark.Value, error) {
	p, err := r.phasePlan()
	if err != nil {
		return nil, err
	}
	return starlark.String(p.Name), nil
}

func (r *Result) role() (starlark.Value, error) {
	p, err := r.phasePlan()
	if err != nil {
		return nil, err
	}
	return starlark.String(p.Role), nil
}

func (r *Result) number() (starlark.Value, error) {
	if r.sel.Step < 0 {
		return nil, fmt.Errorf("say which step is meant, as .step(i)")
	}
	return starlark.MakeInt(r.sel.Step + 1), nil
}

func (r *Result) kind() (starlark.Value, error) {
	p, err := r.phasePlan()
	if err != nil {
		return nil, err
	}
	names := p.OpNames()
	switch {
	case r.sel.Op != "":
		return starlark.String(r.sel.Op), nil
	case len(names) == 1:
		return starlark.String(names[0]), nil
	}
	return nil, fmt.Errorf("say which operation is meant, as .op(kind); there are: %s", strings.Join(names, ", "))
}

func (r *Result) clients() (starlark.Value, error) {
	return r.setting("clients", func(s *plan.Step) starlark.Value { return starlark.MakeInt(s.Clients) })
}

func (r *Result) connections() (starlark.Value, error) {
	return r.setting("connections", func(s *plan.Step) starlark.Value { return starlark.MakeInt(s.Connections) })
}

func (r *Result) rate() (starlark.Value, error) {
	return r.setting("rate", func(s *plan.Step) starlark.Value {
		if s.Rate.Closed() {
			return starlark.None
		}
		return starlark.Float(s.Rate.To)
	})
}

// setting reads what steps were planned with, where it is the same in all that
// are selected.
func (r *Result) setting(what string, of func(*plan.Step) starlark.Value) (starlark.Value, error) {
	p, err := r.phasePlan()
	if err != nil {
		return nil, err
	}
	steps := p.Steps
	switch {
	case r.sel.Step >= len(steps):
		return nil, fmt.Errorf("phase %s has no step %d: there are %d", p.Name, r.sel.Step+1, len(steps))
	case r.sel.Step >= 0:
		steps = steps[r.sel.Step : r.sel.Step+1]
	case len(steps) == 0:
		return nil, fmt.Errorf("phase %s has no steps", p.Name)
	}
	first := of(&steps[0])
	differs := func(s plan.Step) bool {
		same, err := starlark.Equal(of(&s), first)
		return err != nil || !same
	}
	if slices.ContainsFunc(steps, differs) {
		return nil, fmt.Errorf("%s differs from step to step: say which step is meant, as .step(i)", what)
	}
	return first, nil
}

// phasePlan is the plan of the phase that is selected, or of the only one.
func (r *Result) phasePlan() (*plan.Phase, error) {
	sel, err := r.rec.complete(r.sel)
	if err != nil {
		return nil, err
	}
	return r.rec.planned(sel.Cluster, sel.Phase), nil
}

package builtins

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/plan"
)

// Scenario is what main returned, as a plan and the functions to call after the
// run.
type Scenario struct {
	Plan    *plan.Plan // without Name, Params and Sources, which the caller knows
	Checks  []Function
	Reports []Function
}

// Build makes the plan of what main returned, every per_cluster choice
// resolved. The problems are all that is wrong with it and can be known without
// a cluster, in the order of the file; the plan is fit to run if there is none.
// The error says that v is no scenario.
func Build(v starlark.Value, specs []drivers.Spec) (*Scenario, []plan.Problem, error) {
	s, ok := v.(*ScenarioValue)
	if !ok {
		return nil, nil, fmt.Errorf("main must return a scenario(...), got %s", describe(v))
	}
	b := &builder{specs: specs, keys: map[keysID]int{}, sites: map[plan.Pos]site{}, plan: &plan.Plan{
		Title: s.title, Seed: s.seed, Repeat: s.repeat, Order: s.order, OnHostLost: s.lost, Pos: s.site.pos,
	}}
	b.seen(&s.object)
	for _, k := range s.clusters {
		b.plan.Runs = append(b.plan.Runs, b.run(k, s.phases))
	}
	for _, e := range s.expects {
		b.seen(&e.object)
		b.plan.Expects = append(b.plan.Expects, e.plan)
	}
	for _, k := range s.compares {
		b.seen(&k.object)
		b.plan.Compares = append(b.plan.Compares, k.plan)
	}
	out := &Scenario{Plan: b.plan}
	for _, k := range s.checks {
		b.plan.Checks = append(b.plan.Checks, plan.Check{Name: k.name, Pos: k.site.pos})
		out.Checks = append(out.Checks, b.function(&k.afterwards))
	}
	for _, r := range s.reports {
		b.plan.Reports = append(b.plan.Reports, plan.Report{Name: r.name, Pos: r.site.pos})
		out.Reports = append(out.Reports, b.function(&r.afterwards))
	}
	whole := *b.plan
	if b.incomplete { // a phase that is missing would be complained about again
		whole.Expects, whole.Compares = nil, nil
	}
	b.problems = append(b.problems, whole.Problems()...)
	return out, b.placed(inOrder(b.problems)), nil
}

// A builder gathers the plan and what is wrong with it.
type builder struct {
	specs      []drivers.Spec
	plan       *plan.Plan
	keys       map[keysID]int
	problems   []plan.Problem
	incomplete bool              // a phase could not be made
	sites      map[plan.Pos]site // of calls by the user, by place
}

// keysID is the identity of a keys value: its address, or, where it differs
// by cluster, the call that it came from and what it became.
type keysID struct {
	value  *Keys
	origin *deferred
	became plan.Keys
}

// seen remembers how the arguments of a value were given.
func (b *builder) seen(o *object) {
	if !o.site.library {
		b.sites[o.site.pos] = o.site
	}
}

// placed adds to each problem where its argument stands, if it was given by
// position. Problems of the plan itself know arguments by name alone.
func (b *builder) placed(problems []plan.Problem) []plan.Problem {
	for i, p := range problems {
		if p.Place > 0 {
			continue
		}
		problems[i].Place = 1 + slices.Index(b.sites[p.Pos].positional, p.Arg)
	}
	return problems
}

// inOrder sorts problems by place and drops those said twice, as of two
// clusters that share a phase.
func inOrder(problems []plan.Problem) []plan.Problem {
	slices.SortStableFunc(problems, func(a, b plan.Problem) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	var out []plan.Problem
	for _, p := range problems {
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// problem notes something wrong with an argument of the call that made o.
func (b *builder) problem(o *object, arg, format string, args ...any) {
	b.problemText(o, arg, o.kind+": "+fmt.Sprintf(format, args...))
}

// problemText notes a problem in words of its own.
func (b *builder) problemText(o *object, arg, text string) {
	b.seen(o)
	b.problems = append(b.problems, plan.Problem{Pos: o.site.pos, Arg: arg, Text: text})
}

// run resolves the phases for one cluster.
func (b *builder) run(k *Cluster, phases []starlark.Value) plan.Run {
	b.seen(&k.object)
	run := plan.Run{Cluster: k.plan}
	spec := b.spec(k)
	if spec != nil {
		run.Cluster.Options = b.options(k, spec)
		given := spec.With(run.Cluster.Options)
		spec = &given
		b.security(k, spec)
		b.endpoints(k, spec)
	}
	r := &resolver{label: k.plan.Label, driver: k.plan.Driver, made: map[*deferred]starlark.Value{}}
	for _, v := range phases {
		group, err := b.group(r, v, spec)
		if err != nil {
			b.incomplete = true
			b.problems = append(b.problems, problemOf(err, b.plan.Pos))
			continue
		}
		run.Groups = append(run.Groups, group)
	}
	if spec != nil {
		b.quota(k, &run)
		b.connections(&run, spec)
	}
	return run
}

// problemOf keeps the place of an error of a constructor.
func problemOf(err error, elsewhere plan.Pos) plan.Problem {
	if e, ok := errors.AsType[*ArgError](err); ok {
		return e.problem()
	}
	return plan.Problem{Pos: elsewhere, Text: err.Error()}
}

func (b *builder) group(r *resolver, v starlark.Value, spec *drivers.Spec) (plan.Group, error) {
	v, err := r.resolve(v)
	if err != nil {
		return plan.Group{}, err
	}
	var phases []*Phase
	switch v := v.(type) {
	case *Phase:
		phases = []*Phase{v}
	case *Parallel:
		phases = v.phases
	default:
		return plan.Group{}, fmt.Errorf("scenario: phases: want a phase or parallel([...]) for cluster %s, got %s", r.label, describe(v))
	}
	var g plan.Group
	for _, p := range phases {
		g.Phases = append(g.Phases, b.phase(p, r.label, spec))
	}
	return g, nil
}

func (b *builder) phase(p *Phase, label string, spec *drivers.Spec) plan.Phase {
	b.seen(&p.object)
	out := p.plan
	for i, o := range p.ops {
		out.Ops = append(out.Ops, b.op(o, p.weights[i], label, spec))
	}
	b.steps(p, &out)
	return out
}

// keysIndex numbers the keys value in the plan.
func (b *builder) keysIndex(k *Keys) int {
	b.seen(&k.object)
	id := keysID{value: k}
	if k.origin != nil {
		id = keysID{origin: k.origin, became: k.plan}
	}
	i, ok := b.keys[id]
	if !ok {
		i = len(b.plan.Keys)
		b.keys[id] = i
		b.plan.Keys = append(b.plan.Keys, k.plan)
	}
	return i
}

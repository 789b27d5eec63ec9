package engine

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"time"

	"github.com/kvscen/kvscen/engine/load"
	"github.com/kvscen/kvscen/engine/sample"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// phaseRun is one phase under way.
type phaseRun struct {
	s       *session
	plan    *plan.Phase
	load    *load.Phase
	first   *load.Step // prepared
	result  result.Phase
	samples []iter.Seq[result.Sample] // of the steps that kept them
	ended   chan struct{}

	mu      sync.Mutex
	current *load.Step
	reason  string // why it was stopped
}

func (s *session) newPhaseRun(p *plan.Phase, group int) (*phaseRun, error) {
	r := &phaseRun{s: s, plan: p, ended: make(chan struct{})}
	r.result = result.Phase{Name: p.Name, Role: p.Role, Background: p.Background, Group: group, Ops: resultOps(p.Ops)}
	names := make([]string, len(r.result.Ops))
	for i := range names {
		names[i] = r.result.Ops[i].Name
	}
	var err error
	r.load, err = load.NewPhase(load.Config{
		Phase: p, Names: names, Needs: s.spec.Needs, Seed: s.c.plan.Seed, Keys: s.states, Dial: s.dial,
		Index: s.c.cfg.Shard.Index, Count: s.c.cfg.Shard.Count,
		OnInterval: r.interval, OnProgress: r.progress, OnTotals: r.totals,
	})
	return r, err
}

// resultOps names the operations of a phase: by kind, numbered from the second
// of a kind on.
func resultOps(ops []plan.Op) []result.Op {
	seen := map[string]int{}
	list := make([]result.Op, len(ops))
	for i := range ops {
		op := &ops[i]
		name := op.Kind
		if seen[name]++; seen[name] > 1 {
			name = fmt.Sprintf("%s-%d", name, seen[name])
		}
		list[i] = result.Op{Name: name, Weight: op.Weight, Consistency: op.Consistency, Asked: op.Asked, RPCs: op.RPCs}
	}
	return list
}

// stop ends the phase: the step under way sends no more, and no other follows.
func (r *phaseRun) stop(reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.reason == "" {
		r.reason = reason
	}
	if r.current != nil {
		r.current.Stop(reason)
	}
}

// begin makes a step the current one. It reports false where the phase has been
// stopped.
func (r *phaseRun) begin(step *load.Step) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.current = step
	return r.reason == ""
}

// run sends the steps one after the other. The error says why the run can't go
// on with the next phase.
func (r *phaseRun) run(ctx context.Context) error {
	defer close(r.ended)
	r.result.Start = time.Now()
	before := r.s.measure(ctx)
	defer func() { r.s.measure(ctx).since(before, r) }()
	step := r.first
	for i := range r.plan.Steps {
		if i > 0 {
			var err error
			if step, err = r.load.Prepare(ctx, i); err != nil {
				return r.fail("step %d: connecting: %w", i+1, err)
			}
		}
		more := r.begin(step)
		if more {
			if err := r.step(ctx, step, i); err != nil {
				return err
			}
			more = r.begin(nil) && ctx.Err() == nil
		} else {
			step.Close()
		}
		if !more {
			break
		}
	}
	return nil
}

// step runs one step and adds it to the result.
func (r *phaseRun) step(ctx context.Context, step *load.Step, index int) error {
	sampler := r.s.up.sampler
	r.note(index, Event{Kind: KindStepStart})
	a := sampler.Edge()
	out, err := step.Run(ctx)
	b := sampler.Edge()
	step.Close()
	res := &out.Result
	res.Usage = r.usage(sampler, a, b)
	res.Client = sampler.Health(a, b)
	if index == 0 {
		r.result.Start = r.load.Start()
	}
	r.result.Steps = append(r.result.Steps, *res)
	if out.Samples != nil {
		r.samples = append(r.samples, out.Samples)
	}
	r.note(index, Event{Kind: KindStepEnd, Progress: final(res)})
	if err != nil {
		return r.fail("step %d: %w", index+1, err)
	}
	return r.judge(res, index)
}

// judge says whether a step went so badly that the run ends.
func (r *phaseRun) judge(res *result.Step, index int) error {
	sample := ""
	if len(res.Errors) > 0 {
		sample = ": " + res.Errors[0].Sample
	}
	attempted := res.Counts.Attempted + res.Warmup.Attempted
	switch {
	case res.EndedBy == load.EndMaxErrors:
		return r.fail("step %d: more requests failed than max_errors = %v allows, %d of %d%s",
			index+1, r.plan.MaxErrors, res.Counts.Failed+res.Warmup.Failed, attempted, sample)
	case res.Counts.OK == 0 && attempted > 0 && res.EndedBy != load.EndInterrupt && res.EndedBy != load.EndMember && res.EndedBy != load.EndExpect && !r.plan.Background:
		return r.fail("step %d: nothing ok of %d requests%s", index+1, attempted, sample)
	}
	return nil
}

func (r *phaseRun) fail(format string, args ...any) error {
	err := fmt.Errorf("phase "+r.plan.Name+", "+format, args...)
	r.result.Error = err.Error()
	return &failure{result.StatusRun, err}
}

// usage is what the step used, with what the sampler does not know.
func (r *phaseRun) usage(sampler *sample.Sampler, a, b sample.Edge) result.Usage {
	u := sampler.Between(a, b)
	leader := r.s.up.leads()
	for i := range u.Members {
		m := &u.Members[i]
		m.Leader = m.Name == leader && leader != ""
		m.DiskUsage = r.s.up.diskUsage(m.Name)
	}
	return u
}

// interval writes a finished second to the latency log.
func (r *phaseRun) interval(step int, start time.Time, i load.Interval) {
	r.watchSlowest(step, i)
	tag := result.Tag(r.s.plan.Cluster.Label, r.plan.Name, r.result.Ops[i.Op].Name, r.s.rep, r.s.c.plan.Repeat)
	// The log keeps its first error, and closing the folder reports it.
	_ = r.s.c.out.hlog.Interval(tag, start.Add(i.Start), start.Add(i.End), i.Hist)
	r.noteInterval(step, i)
}

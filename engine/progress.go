package engine

import (
	"time"

	"github.com/kvscen/kvscen/engine/load"
	"github.com/kvscen/kvscen/internal/result"
)

// note tells the observer of a step.
func (r *phaseRun) note(step int, e Event) {
	e.Phase, e.Step, e.Steps, e.Clients = r.plan.Name, step, len(r.plan.Steps), r.plan.Steps[step].Clients
	r.s.note(e)
}

// progress passes on how a step stands.
func (r *phaseRun) progress(index int, p load.Progress) {
	r.watchFailed(index, p)
	step := &r.plan.Steps[index]
	out := &Progress{
		Elapsed: p.Elapsed, Remaining: -1, Done: p.Attempted, Total: step.Requests, Fraction: -1,
		Rate: float64(p.OK), P99: p.P99, Errors: p.Failed, Warmup: p.Warmup,
		Target: due(step.Rate, p.Elapsed),
	}
	if step.Requests > 0 {
		out.Fraction = float64(p.Attempted) / float64(step.Requests)
	}
	if step.Duration > 0 {
		out.Fraction = max(out.Fraction, float64(p.Elapsed)/float64(step.Duration))
	}
	if out.Fraction = min(out.Fraction, 1); out.Fraction > 0 {
		out.Remaining = time.Duration(float64(p.Elapsed) * (1/out.Fraction - 1))
	}
	r.note(index, Event{Kind: KindProgress, Progress: out})
}

// final is how a step stood at its end.
func final(res *result.Step) *Progress {
	p := &Progress{
		Elapsed:  res.To - res.From,
		Done:     res.Counts.Attempted + res.Warmup.Attempted,
		Total:    res.Counts.Asked + res.Warmup.Asked,
		Fraction: 1,
		Errors:   res.Counts.Failed + res.Warmup.Failed,
	}
	if s := p.Elapsed.Seconds(); s > 0 {
		p.Rate = float64(res.Counts.OK) / s
	}
	var all result.Latencies
	for i := range res.Series {
		h := res.Series[i].Service
		if res.Open {
			h = res.Series[i].Response
		}
		if err := all.Add(h); err != nil {
			return p // the report says that it can't be read
		}
	}
	if p99 := all.Percentile(99); p99.OK() {
		p.P99 = time.Duration(p99.V)
	}
	return p
}

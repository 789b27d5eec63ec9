package live

import (
	"sync"

	"github.com/kvscen/kvscen/engine"
)

// Run holds the figures of one run. It observes the engine and is collected by
// scrapes, at the same time. Repetitions and steps of a phase are added up, so
// that its counters only grow.
type Run struct {
	version string
	metrics *metrics

	mu     sync.Mutex
	phases map[name]*phase
	use    engine.Event // the latest of what processes use; empty: no cluster is up
}

var _ engine.Observer = (*Run)(nil)

// name is that of a phase on a cluster.
type name struct{ cluster, phase string }

// phase is a phase on a cluster, over all its steps and repetitions.
type phase struct {
	ended   engine.Totals // of the steps that have ended
	current engine.Totals // of the step under way
	hists   map[string]*histogram
	active  *engine.Event // latest of the step under way; nil: none is
}

func newRun(version string) *Run {
	return &Run{version: version, metrics: newMetrics(), phases: map[name]*phase{}}
}

// Observe takes one event in.
func (r *Run) Observe(e engine.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch e.Kind {
	case engine.KindStepStart:
		r.phase(e).active = &e
	case engine.KindProgress:
		r.phase(e).active = &e
	case engine.KindInterval:
		r.phase(e).hist(e.Interval.Op).add(e.Interval)
	case engine.KindTotals:
		r.phase(e).current = *e.Totals
	case engine.KindStepEnd:
		r.phase(e).endStep()
	case engine.KindUse:
		r.use = e
	case engine.KindSetup, engine.KindDone:
		r.use = engine.Event{} // of the cluster before
	}
}

func (r *Run) phase(e engine.Event) *phase {
	at := name{e.Cluster, e.Phase}
	if r.phases[at] == nil {
		r.phases[at] = &phase{hists: map[string]*histogram{}}
	}
	return r.phases[at]
}

func (p *phase) hist(op string) *histogram {
	if p.hists[op] == nil {
		p.hists[op] = newHistogram()
	}
	return p.hists[op]
}

func (p *phase) endStep() {
	p.ended, p.current, p.active = p.totals(), engine.Totals{}, nil
}

// totals are those of all steps until now.
func (p *phase) totals() engine.Totals {
	return engine.Totals{
		Ops:      sum(p.ended.Ops, p.current.Ops),
		WarmOK:   p.ended.WarmOK + p.current.WarmOK,
		WarmFail: p.ended.WarmFail + p.current.WarmFail,
		Lag: engine.LagTotals{
			N:   p.ended.Lag.N + p.current.Lag.N,
			Sum: p.ended.Lag.Sum + p.current.Lag.Sum,
			Max: max(p.ended.Lag.Max, p.current.Lag.Max),
		},
	}
}

// sum adds up the operations of two steps of a phase, which are the same unless
// one of the lists is empty: nothing is known of that step yet.
func sum(a, b []engine.OpTotals) []engine.OpTotals {
	if len(a) == 0 {
		return b
	}
	out := make([]engine.OpTotals, len(a))
	for i, op := range a {
		out[i] = engine.OpTotals{Op: op.Op, Results: map[string]uint64{}}
		for result, n := range op.Results {
			out[i].Results[result] += n
		}
		if i < len(b) {
			for result, n := range b[i].Results {
				out[i].Results[result] += n
			}
		}
	}
	return out
}

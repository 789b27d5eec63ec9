package engine

import (
	"iter"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/engine/load"
	"github.com/kvscen/kvscen/engine/sample"
	"github.com/kvscen/kvscen/internal/plan"
)

// Interval is what an operation has completed in a finished second: the ok
// requests of the measured part.
type Interval struct {
	Op  string
	Sum time.Duration // of the latencies
	// Latencies are response times where there is a schedule, else service
	// times, and how often each occurred, to 0.1 %. They are only valid while
	// the event is observed.
	Latencies iter.Seq2[time.Duration, uint64]
}

// Totals are the requests of a step until now.
type Totals struct {
	Ops              []OpTotals // of the measured part
	WarmOK, WarmFail uint64
	Lag              LagTotals // of an open loop
}

// LagTotals say by how much requests were started late.
type LagTotals = load.LagTotals

// OpTotals are the requests of an operation by what became of them: "ok", or
// the class of the failure. Those that there are none of are left out.
type OpTotals struct {
	Op      string
	Results map[string]uint64
}

// Use is what kvscen, or a member, used in the last second.
type Use = sample.Use

// Observers hand each event to several observers in turn.
type Observers []Observer

// Observe hands an event on.
func (o Observers) Observe(e Event) {
	for _, each := range o {
		each.Observe(e)
	}
}

func (r *phaseRun) noteInterval(step int, i load.Interval) {
	r.note(step, Event{Kind: KindInterval, Interval: &Interval{
		Op: r.result.Ops[i.Op].Name, Sum: i.Sum, Latencies: i.Latencies(),
	}})
}

// totals passes on how many requests there were.
func (r *phaseRun) totals(step int, t load.Totals) {
	out := &Totals{WarmOK: t.Warmup.OK, WarmFail: t.Warmup.Failed, Lag: t.Lag}
	for i, op := range t.Ops {
		results := map[string]uint64{}
		if op.OK > 0 {
			results["ok"] = op.OK
		}
		for class, n := range op.Failed {
			if n > 0 {
				results[drivers.Class(class).String()] = n
			}
		}
		out.Ops = append(out.Ops, OpTotals{Op: r.result.Ops[i].Name, Results: results})
	}
	r.note(step, Event{Kind: KindTotals, Totals: out})
}

// noteUse passes on what processes use.
func (s *session) noteUse(uses []Use) { s.note(Event{Kind: KindUse, Uses: uses}) }

// due is how many requests a second are due at a time of a step.
func due(r plan.Rate, elapsed time.Duration) float64 {
	if elapsed >= r.Over {
		return r.To
	}
	return r.From + (r.To-r.From)*elapsed.Seconds()/r.Over.Seconds()
}

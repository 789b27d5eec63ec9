package load

import (
	"iter"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/result"
)

// Totals are the requests of a step until now: those of the measured part, but
// for Warmup.
type Totals struct {
	Ops    []OpTotals    // by operation
	Warmup result.Counts // ok and failed alone
	Lag    LagTotals     // of an open loop
}

// OpTotals are the requests of one operation.
type OpTotals struct {
	OK     uint64
	Failed [drivers.NumClasses]uint64 // by class
}

// LagTotals say by how much requests were started late.
type LagTotals struct {
	N        uint64
	Sum, Max time.Duration
}

// totals adds the shards up. It holds the lock of each for some hundred
// nanoseconds.
func (r *recorder) totals() Totals {
	t := Totals{Ops: make([]OpTotals, len(r.names))}
	for _, sh := range r.shards {
		sh.mu.Lock()
		addCounts(&t.Warmup, &sh.warm)
		if lag := sh.lag; lag != nil {
			t.Lag.N += uint64(lag.hdr.TotalCount())
			t.Lag.Sum += time.Duration(lag.sum)
			t.Lag.Max = max(t.Lag.Max, time.Duration(lag.max))
		}
		for op := range sh.series {
			series := &sh.series[op]
			t.Ops[op].OK += series.total.OK
			for class, n := range series.classes {
				t.Ops[op].Failed[class] += n
			}
		}
		sh.mu.Unlock()
	}
	return t
}

// reportTotals tells whoever wants to know.
func (s *Step) reportTotals() {
	if report := s.phase.cfg.OnTotals; report != nil {
		report(s.index, s.stage.recorder.totals())
	}
}

// Latencies are those of the interval and how often each occurred, by the lower
// edges of the histogram's bins. Like Hist they are only valid during the call
// that the interval is handed to.
func (i Interval) Latencies() iter.Seq2[time.Duration, uint64] {
	return func(yield func(time.Duration, uint64) bool) {
		if i.Hist.TotalCount() == 0 {
			return
		}
		for _, bar := range i.Hist.Distribution() {
			if bar.Count > 0 && !yield(time.Duration(bar.From), uint64(bar.Count)) {
				return
			}
		}
	}
}

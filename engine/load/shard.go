package load

import (
	"errors"
	"sync"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/result"
)

// recorderShard is what some of the clients record into.
type recorderShard struct {
	mu       sync.Mutex
	series   []seriesShard
	warm     result.Counts              // ok and failed alone
	texts    [drivers.NumClasses]string // of the first failure of each class
	lag      *hist
	failures *hist
	first    time.Duration // earliest start of a measured request; never: none yet
	last     time.Duration // latest completion of one
	highest  uint64        // 1 + number of the last request attempted
	_        [64]byte
}

// seriesShard is one operation in one shard.
type seriesShard struct {
	total    result.Series              // its counters; no histogram
	classes  [drivers.NumClasses]uint64 // of its failures
	service  *hist                      // of an open loop; a closed loop has it in the seconds
	ranges   ranges                     // of the latency proper
	current  *second
	finished []*second // earlier ones, for the collector to take
	spare    *second
}

// second is what completed within one second of the grid.
type second struct {
	index      int64
	until      time.Duration // its end, from the step's start
	ok, failed uint32
	hist       hist // of the latency proper
}

func (sh *recorderShard) warmUp(err error) {
	if err == nil {
		sh.warm.OK++
	} else {
		sh.warm.Failed++
	}
}

// measure records what the common path does not: a schedule, samples, failures.
func (sh *recorderShard) measure(r *recorder, series *seriesShard, sec *second, s *shot) {
	if r.open {
		if sh.lag == nil {
			sh.lag = newHist()
		}
		sh.lag.record(s.start - s.due)
	}
	if r.kept != nil {
		r.sample(s)
	}
	if s.err != nil {
		sec.failed++
		series.total.Retries += hidden(s.op, r.needs[s.op.Spec])
		sh.fail(series, s)
		return
	}
	sec.ok++
	series.succeed(s.op, r.needs[s.op.Spec])
	if !r.open {
		sec.hist.record(s.end - s.start)
		series.ranges.add(s.n, s.end-s.start)
		return
	}
	sec.hist.record(s.end - s.due)
	series.ranges.add(s.n, s.end-s.due)
	if series.service == nil {
		series.service = newHist()
	}
	series.service.record(s.end - s.start)
}

func (sh *recorderShard) fail(series *seriesShard, s *shot) {
	series.total.Failed++
	class := drivers.ClassOf(s.err)
	if sh.texts[class] == "" {
		sh.texts[class] = text(s.err)
	}
	series.classes[class]++
	if sh.failures == nil {
		sh.failures = newHist()
	}
	sh.failures.record(s.end - s.start)
}

// text is the error without its class, which is told beside it.
func text(err error) string {
	if e, ok := errors.AsType[*drivers.Error](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}

// succeed adds up what an ok request found and moved.
func (s *seriesShard) succeed(op *drivers.Op, needs int) {
	t := &s.total
	t.OK++
	if op.Found {
		t.Found++
	}
	t.Entries += uint64(op.Count)
	t.Read += uint64(op.Bytes)
	t.Retries += hidden(op, needs)
	t.Written += written(op)
}

// hidden is how many RPCs of a request were more than it needs.
func hidden(op *drivers.Op, needs int) uint64 {
	return uint64(max(op.Attempts-needs, 0))
}

// written is the payload that a request carried to the store.
func written(op *drivers.Op) uint64 {
	if op.Sub != nil {
		sum := uint64(0)
		for i := range op.Sub {
			sum += written(&op.Sub[i])
		}
		return sum
	}
	if op.Value == nil {
		return 0
	}
	return uint64(len(op.Key) + len(op.Value))
}

// turn makes the second that a request ended in the current one. A client that
// was held up between the end of its request and here may come for one that is
// gone: it gets the current one, so that the counts stay exact.
func (s *seriesShard) turn(index int64, until time.Duration) *second {
	if c := s.current; c != nil {
		if index <= c.index {
			return c
		}
		s.finished = append(s.finished, c)
	}
	s.current = s.spare
	s.spare = nil
	if s.current == nil {
		s.current = &second{hist: *newHist()}
	}
	s.current.index, s.current.until = index, until
	return s.current
}

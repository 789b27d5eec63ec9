package load

import (
	"errors"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/result"
)

// recorder counts and times the requests of a step. Clients record into shards,
// each with a lock of its own that is held for some tens of nanoseconds; the
// collector takes finished seconds out of them.
type recorder struct {
	open       bool          // there is a schedule: the latency proper is the response time
	warmCount  uint64        // requests below it are warm-up
	warmUntil  time.Duration // so are those that start earlier than this, in a closed loop
	origin     atomic.Int64  // grid of the seconds: start of a measured request, ns from the step's start; -1: none yet
	failed     atomic.Uint64
	maxErrors  uint64   // more failures than this stop the step
	maxShare   float64  // likewise, a share of the attempted, looked at once a second; negative: no limit
	onFailures func()   // called when they are exceeded, perhaps more than once
	names      []string // of the operations
	shards     []*recorderShard
}

// never is later than any time of a step.
const never = time.Duration(math.MaxInt64)

// maxShards bounds the memory: each shard holds histograms of 270 KB.
const maxShards = 8

type recorderShard struct {
	mu       sync.Mutex
	series   []seriesShard
	warm     result.Counts // ok and failed alone
	classes  [drivers.NumClasses]uint64
	texts    [drivers.NumClasses]string // of the first failure of each class
	lag      *hist
	failures *hist
	first    time.Duration // earliest start of a measured request; never: none yet
	last     time.Duration // latest completion of one
	highest  uint64        // 1 + number of the last request attempted
	samples  []result.Sample
	keep     bool // the samples
	_        [64]byte
}

// seriesShard is one operation in one shard.
type seriesShard struct {
	total    result.Series // its counters; no histogram
	service  *hist         // of an open loop; a closed loop has it in the seconds
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

func newRecorder(shards int, names []string, open bool) *recorder {
	r := &recorder{open: open, names: names, maxErrors: math.MaxUint64, maxShare: -1, onFailures: func() {}}
	r.origin.Store(-1)
	for range min(max(shards, 1), maxShards) {
		r.shards = append(r.shards, &recorderShard{series: make([]seriesShard, len(names)), first: never})
	}
	return r
}

// shot is one ended request that needs more than the common path. Times are from
// the step's start.
type shot struct {
	n               uint64
	due, start, end time.Duration
	op              *drivers.Op
	err             error
}

// record counts a request that has ended; times are from the step's start. This
// is the path of every request: what is rare stands in functions of its own.
func (r *recorder) record(sh *recorderShard, n uint64, due, start, end time.Duration, op *drivers.Op, err error) {
	sh.mu.Lock()
	sh.highest = max(sh.highest, n+1)
	if n < r.warmCount || start < r.warmUntil {
		sh.warmUp(err)
		sh.mu.Unlock()
		return
	}
	series := &sh.series[op.Spec]
	sec := series.current
	if sec == nil || end >= sec.until {
		sec = series.turn(r.second(start, end))
	}
	if start < sh.first {
		sh.first = start
	}
	if end > sh.last {
		sh.last = end
	}
	if err == nil && !r.open && !sh.keep {
		sec.ok++
		sec.hist.record(end - start)
		series.succeed(op)
		sh.mu.Unlock()
		return
	}
	sh.measure(r, series, sec, &shot{n: n, due: due, start: start, end: end, op: op, err: err})
	sh.mu.Unlock()
	if err != nil && r.failed.Add(1) > r.maxErrors {
		r.onFailures()
	}
}

func (sh *recorderShard) warmUp(err error) {
	if err == nil {
		sh.warm.OK++
	} else {
		sh.warm.Failed++
	}
}

// second is the index of the second of the grid that a request ended in. The
// first measured request to end begins the grid.
func (r *recorder) second(start, end time.Duration) (index int64, until time.Duration) {
	r.origin.CompareAndSwap(-1, int64(start))
	origin := time.Duration(r.origin.Load())
	passed := max((end-origin)/time.Second, 0)
	return int64(passed), origin + (passed+1)*time.Second
}

// measure records what the common path does not: a schedule, samples, failures.
func (sh *recorderShard) measure(r *recorder, series *seriesShard, sec *second, s *shot) {
	if r.open {
		if sh.lag == nil {
			sh.lag = newHist()
		}
		sh.lag.record(s.start - s.due)
	}
	if sh.keep {
		sh.sample(r, s)
	}
	if s.err != nil {
		sec.failed++
		sh.fail(series, s)
		return
	}
	sec.ok++
	series.succeed(s.op)
	if !r.open {
		sec.hist.record(s.end - s.start)
		return
	}
	sec.hist.record(s.end - s.due)
	if series.service == nil {
		series.service = newHist()
	}
	series.service.record(s.end - s.start)
}

func (sh *recorderShard) fail(series *seriesShard, s *shot) {
	series.total.Failed++
	class := drivers.ClassOf(s.err)
	if sh.classes[class] == 0 {
		sh.texts[class] = text(s.err)
	}
	sh.classes[class]++
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

func (sh *recorderShard) sample(r *recorder, s *shot) {
	sample := result.Sample{N: s.n, Op: r.names[s.op.Spec], Open: r.open, Start: s.start, Service: s.end - s.start, OK: s.err == nil}
	if r.open {
		sample.Due, sample.Response, sample.Lag = s.due, s.end-s.due, s.start-s.due
	}
	if s.err != nil {
		sample.Class = drivers.ClassOf(s.err).String()
	}
	sh.samples = append(sh.samples, sample)
}

// succeed adds up what an ok request found and moved.
func (s *seriesShard) succeed(op *drivers.Op) {
	t := &s.total
	t.OK++
	if op.Found {
		t.Found++
	}
	t.Entries += uint64(op.Count)
	t.Read += uint64(op.Bytes)
	if op.Attempts > 1 {
		t.Retries += uint64(op.Attempts - 1)
	}
	t.Written += written(op)
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

// shardsFor is the number of shards for some clients: two a processor keep
// clients from waiting for each other's lock.
func shardsFor(clients int) int {
	return min(clients, 2*runtime.GOMAXPROCS(0), maxShards)
}

// limit calls stop when more requests have failed than maxErrors allows: a share
// of the requests asked for (below 1) or a count. Negative: no limit. A share
// of an unknown number can only be judged by the caller, as the step goes on.
func (r *recorder) limit(maxErrors float64, asked uint64, stop func()) {
	r.onFailures = stop
	switch {
	case maxErrors < 0:
	case maxErrors >= 1:
		r.maxErrors = uint64(maxErrors)
	case asked > 0:
		r.maxErrors = uint64(maxErrors * float64(asked))
	default:
		r.maxShare = maxErrors
	}
}

// keep makes the recorder keep every sample.
func (r *recorder) keep(samples bool) {
	for _, sh := range r.shards {
		sh.keep = samples
	}
}

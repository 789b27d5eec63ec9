package load

import (
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
	anyOK      atomic.Bool
	failed     atomic.Uint64
	maxErrors  uint64   // more failures than this stop the step
	maxShare   float64  // likewise, a share of the attempted, looked at once a second; negative: no limit
	onFailures func()   // called when they are exceeded, perhaps more than once
	names      []string // of the operations
	shards     []*recorderShard
}

// maxShards bounds the memory: each shard holds histograms of 270 KB.
const maxShards = 8

type recorderShard struct {
	mu       sync.Mutex
	series   []seriesShard
	counts   result.Counts // of the measured part: attempted, ok and failed alone
	warm     result.Counts
	classes  [drivers.NumClasses]uint64
	texts    [drivers.NumClasses]string // of the first failure of each class
	lag      *hist
	failures *hist
	first    time.Duration // earliest start of a measured request
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
	ok, failed uint32
	hist       hist // of the latency proper
}

func newRecorder(shards int, names []string, open bool) *recorder {
	r := &recorder{open: open, names: names, maxErrors: math.MaxUint64, maxShare: -1, onFailures: func() {}}
	r.origin.Store(-1)
	for range min(max(shards, 1), maxShards) {
		r.shards = append(r.shards, &recorderShard{series: make([]seriesShard, len(names)), first: -1})
	}
	return r
}

// shot is one ended request, as record takes it. Times are from the step's start.
type shot struct {
	n               uint64
	due, start, end time.Duration
	op              *drivers.Op
	err             error
}

// record counts a request that has ended.
func (r *recorder) record(sh *recorderShard, s *shot) {
	warm := s.n < r.warmCount || s.start < r.warmUntil
	origin := r.origin.Load()
	if origin < 0 && !warm {
		r.origin.CompareAndSwap(-1, int64(s.start))
		origin = r.origin.Load()
	}
	sh.mu.Lock()
	sh.highest = max(sh.highest, s.n+1)
	if warm {
		sh.warm.Attempted++
		if s.err == nil {
			sh.warm.OK++
		} else {
			sh.warm.Failed++
		}
	} else {
		sh.measure(r, s, (int64(s.end)-origin)/int64(time.Second))
	}
	sh.mu.Unlock()
	if s.err == nil {
		if !r.anyOK.Load() {
			r.anyOK.Store(true)
		}
	} else if r.failed.Add(1) > r.maxErrors {
		r.onFailures()
	}
}

func (sh *recorderShard) measure(r *recorder, s *shot, index int64) {
	sh.counts.Attempted++
	if sh.first < 0 || s.start < sh.first {
		sh.first = s.start
	}
	sh.last = max(sh.last, s.end)
	if r.open {
		if sh.lag == nil {
			sh.lag = newHist()
		}
		sh.lag.record(s.start - s.due)
	}
	if sh.keep {
		sh.sample(r, s)
	}
	series := &sh.series[s.op.Spec]
	sec := series.at(index)
	if s.err != nil {
		sec.failed++
		sh.fail(series, s)
		return
	}
	sec.ok++
	sh.counts.OK++
	series.succeed(s.op)
	if r.open {
		sec.hist.record(s.end - s.due)
		if series.service == nil {
			series.service = newHist()
		}
		series.service.record(s.end - s.start)
	} else {
		sec.hist.record(s.end - s.start)
	}
}

func (sh *recorderShard) fail(series *seriesShard, s *shot) {
	sh.counts.Failed++
	series.total.Failed++
	class := drivers.ClassOf(s.err)
	if sh.classes[class] == 0 {
		sh.texts[class] = s.err.Error()
	}
	sh.classes[class]++
	if sh.failures == nil {
		sh.failures = newHist()
	}
	sh.failures.record(s.end - s.start)
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

// at is the second to record in. A client that was held up between the end of
// its request and here may come for one that is gone: it gets the current one,
// so that the counts stay exact.
func (s *seriesShard) at(index int64) *second {
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
	s.current.index = index
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

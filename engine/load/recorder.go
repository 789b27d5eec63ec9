package load

import (
	"math"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/kvscen/kvscen/drivers"
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
	needs      []int    // RPCs that a request of each takes when all goes well
	shards     []*recorderShard
	kept       []kept // requests by number, where all of them are kept
}

// never is later than any time of a step.
const never = time.Duration(math.MaxInt64)

// maxShards bounds the memory: each shard holds histograms of 270 KB.
const maxShards = 8

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
	if err == nil && !r.open && r.kept == nil {
		sec.ok++
		sec.hist.record(end - start)
		series.ranges.add(n, end-start)
		series.succeed(op, r.needs[op.Spec])
		sh.mu.Unlock()
		return
	}
	sh.measure(r, series, sec, &shot{n: n, due: due, start: start, end: end, op: op, err: err})
	sh.mu.Unlock()
	if err != nil && r.failed.Add(1) > r.maxErrors {
		r.onFailures()
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

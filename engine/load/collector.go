package load

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/kvscen/kvscen/internal/result"
)

// Interval is a finished second of one operation. Hist is only valid during the
// call that it is handed to.
type Interval struct {
	Op         int
	Start, End time.Duration // from the step's start
	Sum        time.Duration // of the latencies, which the bins of Hist would round
	Hist       *hdrhistogram.Histogram
}

// collector takes finished seconds out of the recorder's shards, reduces them to
// columns at once and adds them up. It is used by one goroutine at a time.
type collector struct {
	rec     *recorder
	onEach  func(Interval) // nil: nobody wants them
	next    int64          // first second that is not reduced yet
	pending []map[int64]*second
	columns []result.Seconds
	totals  []*hist
	last    hist // of all operations in the last second reduced
	empty   *hdrhistogram.Histogram
	lastOK  uint64
}

func newCollector(rec *recorder, onEach func(Interval)) *collector {
	c := &collector{rec: rec, onEach: onEach, last: *newHist(), empty: result.NewHDR(),
		columns: make([]result.Seconds, len(rec.names))}
	for range rec.names {
		c.pending = append(c.pending, map[int64]*second{})
		c.totals = append(c.totals, newHist())
	}
	return c
}

// collect reduces all seconds below upTo. What comes later for one of them is
// counted in the first second that follows, so that nothing is lost.
func (c *collector) collect(upTo int64) {
	for _, sh := range c.rec.shards {
		for op := range c.pending {
			c.take(sh, op, upTo)
		}
	}
	for ; c.next < upTo; c.next++ {
		c.last.reset()
		c.lastOK = 0
		for op := range c.pending {
			c.reduce(op)
		}
	}
}

// take moves the finished seconds of a shard to pending.
func (c *collector) take(sh *recorderShard, op int, upTo int64) {
	sh.mu.Lock()
	series := &sh.series[op]
	finished := series.finished
	series.finished = nil
	if cur := series.current; cur != nil && cur.index < upTo {
		finished = append(finished, cur)
		series.current = nil
	}
	sh.mu.Unlock()
	for _, sec := range finished {
		index := max(sec.index, c.next)
		if into := c.pending[op][index]; into != nil {
			into.add(sec)
			giveBack(sh, op, sec)
			continue
		}
		c.pending[op][index] = sec
	}
}

func (s *second) add(from *second) {
	s.ok += from.ok
	s.failed += from.failed
	s.hist.merge(&from.hist)
}

// reduce appends second c.next of an operation to its columns.
func (c *collector) reduce(op int) {
	sec := c.pending[op][c.next]
	if sec == nil {
		c.columns[op].Append(0, 0, nil, 0, 0, 0)
		c.emit(op, 0, c.empty)
		return
	}
	delete(c.pending[op], c.next)
	h := &sec.hist
	c.columns[op].Append(sec.ok, sec.failed, h.hdr, h.sum, h.min, h.max)
	c.emit(op, time.Duration(h.sum), h.hdr)
	c.totals[op].merge(h)
	c.last.merge(h)
	c.lastOK += uint64(sec.ok)
	// pending took it from the first shard that had it, mostly shard 0.
	giveBack(c.rec.shards[0], op, sec)
}

func (c *collector) emit(op int, sum time.Duration, h *hdrhistogram.Histogram) {
	if c.onEach == nil {
		return
	}
	start := time.Duration(max(c.rec.origin.Load(), 0)) + time.Duration(c.next)*time.Second
	c.onEach(Interval{Op: op, Start: start, End: start + time.Second, Sum: sum, Hist: h})
}

// giveBack keeps a second for the shard to use again.
func giveBack(sh *recorderShard, op int, sec *second) {
	sec.ok, sec.failed = 0, 0
	sec.hist.reset()
	sh.mu.Lock()
	sh.series[op].spare = sec
	sh.mu.Unlock()
}

// progress says how the step stands.
func (c *collector) progress(now time.Duration) Progress {
	p := Progress{Elapsed: now, OK: c.lastOK, Warmup: c.rec.origin.Load() < 0}
	for _, sh := range c.rec.shards {
		sh.mu.Lock()
		counts := sh.counts()
		p.AnyOK = p.AnyOK || counts.OK+sh.warm.OK > 0
		p.Failed += counts.Failed + sh.warm.Failed
		p.Lost += counts.Failed
		p.Attempted += counts.OK + counts.Failed + sh.warm.OK + sh.warm.Failed
		sh.mu.Unlock()
	}
	if c.lastOK > 0 {
		p.P99 = time.Duration(c.last.hdr.ValueAtPercentile(99))
	}
	return p
}

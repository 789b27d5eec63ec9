package load

import (
	"cmp"
	"math"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// tally is all shards of a recorder added up.
type tally struct {
	counts, warm result.Counts
	first, last  time.Duration // W
	highest      uint64
	series       []seriesShard
	lag, failed  *hist
	errors       []result.ErrorClass
}

func (r *recorder) tally() *tally {
	t := &tally{first: never, series: make([]seriesShard, len(r.names))}
	var classes [drivers.NumClasses]result.ErrorClass
	for _, sh := range r.shards {
		sh.mu.Lock()
		t.add(sh)
		for c := range classes {
			for op := range sh.series {
				classes[c].Count += sh.series[op].classes[c]
			}
			classes[c].Sample = cmp.Or(classes[c].Sample, sh.texts[c])
		}
		sh.mu.Unlock()
	}
	for c := range classes {
		if classes[c].Count > 0 {
			classes[c].Class = drivers.Class(c).String()
			t.errors = append(t.errors, classes[c])
		}
	}
	return t
}

func (t *tally) add(sh *recorderShard) {
	counts := sh.counts()
	addCounts(&t.counts, &counts)
	addCounts(&t.warm, &sh.warm)
	t.first = min(t.first, sh.first)
	t.last = max(t.last, sh.last)
	t.highest = max(t.highest, sh.highest)
	t.lag = merged(t.lag, sh.lag)
	t.failed = merged(t.failed, sh.failures)
	for op := range sh.series {
		into, from := &t.series[op].total, &sh.series[op].total
		into.OK += from.OK
		into.Failed += from.Failed
		into.Found += from.Found
		into.Entries += from.Entries
		into.Written += from.Written
		into.Read += from.Read
		into.Retries += from.Retries
		t.series[op].service = merged(t.series[op].service, sh.series[op].service)
		t.series[op].ranges.merge(&sh.series[op].ranges)
	}
}

// counts are those of the measured part: ok and failed alone.
func (sh *recorderShard) counts() result.Counts {
	var c result.Counts
	for op := range sh.series {
		c.OK += sh.series[op].total.OK
		c.Failed += sh.series[op].total.Failed
	}
	return c
}

func addCounts(into, from *result.Counts) {
	into.Attempted += from.OK + from.Failed
	into.OK += from.OK
	into.Failed += from.Failed
}

// merged adds from to into, either of which may be nil.
func merged(into, from *hist) *hist {
	if from == nil {
		return into
	}
	if into == nil {
		into = newHist()
	}
	into.merge(from)
	return into
}

// outcome gathers what the step yields, and tells the phase how far it has come.
func (s *Step) outcome(col *collector) (*Outcome, error) {
	rec := s.stage.recorder
	t := rec.tally()
	origin := time.Duration(max(rec.origin.Load(), 0))
	if t.first == never {
		t.first = 0
	} else {
		col.collect(int64(t.last-origin)/int64(time.Second) + 1)
	}
	first := s.phase.first
	s.phase.first += t.highest * s.stage.stride

	offset := s.stage.start.Sub(s.phase.start)
	r := result.Step{
		Clients:     s.plan.Clients,
		Connections: s.plan.Connections,
		Open:        s.pacer != nil,
		Rate:        rateText(s.plan.Rate),
		From:        offset + t.first,
		To:          offset + t.last,
		Errors:      t.errors,
		EndedBy:     s.endedBy(),
	}
	end := s.count(t, &r)
	var err error
	keep := func(h *hist) *result.Hist {
		if h == nil {
			return nil
		}
		out, e := h.result()
		err = cmp.Or(err, e)
		return out
	}
	r.Lag, r.Failed, r.Missed = keep(t.lag), keep(t.failed), keep(s.missed(&r, end))
	for op := range t.series {
		series := t.series[op].total
		series.Op = rec.names[op]
		series.Seconds = col.columns[op]
		series.Seconds.Start, series.Seconds.Step = offset+origin, time.Second
		series.Ranges = t.series[op].ranges.result(first, s.stage.stride)
		if latency := keep(col.totals[op]); s.pacer == nil {
			series.Service = latency
		} else {
			series.Response, series.Service = latency, keep(merged(newHist(), t.series[op].service))
		}
		r.Series = append(r.Series, series)
	}
	return &Outcome{Result: r, Samples: s.samples(offset),
		From: s.stage.start.Add(t.first), To: s.stage.start.Add(t.last)}, err
}

// endedBy says why the step ended.
func (s *Step) endedBy() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.reason != "":
		return s.reason
	case s.local > 0 && s.stage.schedule.next.Load() >= s.local:
		return EndRequests
	case s.plan.Duration > 0:
		return EndDuration
	default:
		return EndSchedule
	}
}

// count fills in what was due, missed and undue. It returns when starting ended,
// from the step's start.
func (s *Step) count(t *tally, r *result.Step) (end time.Duration) {
	r.Counts, r.Warmup = t.counts, t.warm
	end = s.end
	s.mu.Lock()
	if s.reason != "" {
		end = min(end, s.stopped)
	}
	s.mu.Unlock()
	if s.pacer == nil {
		r.Counts.Due, r.Warmup.Due = r.Counts.Attempted, r.Warmup.Attempted
		if s.local > 0 {
			r.Warmup.Asked = r.Warmup.Attempted
			r.Counts.Asked = s.local - min(r.Warmup.Asked, s.local)
			r.Counts.Undue = r.Counts.Asked - min(r.Counts.Due, r.Counts.Asked)
		}
		return end
	}
	// A request that was started as the step was stopped was due.
	due := max(dueBefore(s.pacer, end), t.highest)
	warm := min(due, s.stage.recorder.warmCount)
	r.Warmup.Due, r.Counts.Due = warm, due-warm
	r.Warmup.Missed = r.Warmup.Due - r.Warmup.Attempted
	r.Counts.Missed = r.Counts.Due - r.Counts.Attempted
	if s.local > 0 {
		r.Warmup.Asked = min(s.local, s.stage.recorder.warmCount)
		r.Counts.Asked = s.local - r.Warmup.Asked
		r.Warmup.Undue = r.Warmup.Asked - r.Warmup.Due
		r.Counts.Undue = r.Counts.Asked - r.Counts.Due
	}
	return end
}

// missed charges each missed request with the time from its due time to the end.
// Requests are claimed in order, so those that were missed are the last ones due.
func (s *Step) missed(r *result.Step, end time.Duration) *hist {
	if r.Counts.Missed == 0 {
		return nil
	}
	h := newHist()
	due := r.Counts.Due + r.Warmup.Due
	for n := due - r.Counts.Missed; n < due; n++ {
		at, _ := s.pacer.At(n)
		h.record(end - at)
	}
	return h
}

// rateText is a schedule in words.
func rateText(r plan.Rate) string {
	switch {
	case r.Closed():
		return ""
	case r.Over > 0 && r.From != r.To:
		return rateNumber(r.From) + " to " + rateNumber(r.To) + "/s over " + r.Over.String()
	default:
		return rateNumber(r.To) + "/s"
	}
}

// rateNumber separates thousands by commas; a rate that is no whole number keeps
// its decimals.
func rateNumber(f float64) string {
	if f != math.Trunc(f) {
		return humanize.CommafWithDigits(f, 3)
	}
	return humanize.Comma(int64(f))
}

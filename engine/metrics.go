package engine

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/cluster"
	"github.com/kvscen/kvscen/internal/result"
)

// reading is the members' own metrics, and how long their logs are, at one edge
// of a phase.
type reading struct {
	at      time.Time
	metrics map[string]map[string]drivers.Metric // by member
	logs    cluster.LogMark
}

// measure reads what the members publish. What can't be read is left out.
func (s *session) measure(ctx context.Context) reading {
	r := reading{at: time.Now(), metrics: map[string]map[string]drivers.Metric{}}
	u := s.up
	if u.cluster != nil {
		r.logs, _ = u.cluster.MarkLogs() // without marks nothing is counted
	}
	publisher, ok := s.driver.(drivers.Metricser)
	if !ok {
		return r
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dialTimeout)
	defer cancel()
	for _, m := range u.members {
		figures, err := publisher.Metrics(ctx, s.target(m))
		if err != nil {
			s.note(Event{Kind: KindWarning, Text: "metrics of " + m.Name + " are missing: " + err.Error()})
			continue
		}
		r.metrics[m.Name] = figures
	}
	return r
}

// since puts what happened between two readings into the phase's result, with
// the samples of that time and the marks.
func (r reading) since(before reading, p *phaseRun) {
	s := p.s
	for _, m := range s.up.members {
		if after, ok := r.metrics[m.Name]; ok {
			p.result.Metrics = append(p.result.Metrics,
				result.MemberMetrics{Member: m.Name, Values: difference(before.metrics[m.Name], after)})
		}
		found := s.logged(m, before, r, p)
		p.result.Markers = append(p.result.Markers, counted(m, s.plan.Cluster.Markers, found)...)
		p.result.Logged = append(p.result.Logged, found...)
	}
	slices.SortStableFunc(p.result.Logged, func(a, b result.Logged) int { return a.At.Compare(b.At) })
	if failedRequests(&p.result) {
		s.quoteFailures(before.logs, r.logs)
	}
	if start := p.load.Start(); !start.IsZero() {
		p.result.Samples = s.up.sampler.Samples(start, r.at)
	}
	p.result.Marks = marks(s, p.plan, &p.result)
}

func failedRequests(p *result.Phase) bool {
	return slices.ContainsFunc(p.Steps, func(s result.Step) bool { return s.Counts.Failed > 0 })
}

// difference gives what counters have grown by and where gauges stand. Buckets
// of a histogram become its mean and percentiles, in the histogram's unit.
func difference(before, after map[string]drivers.Metric) map[string]float64 {
	out := map[string]float64{}
	buckets := map[string][]bucket{}
	for name, m := range after {
		v := m.Value
		if m.Counter {
			v -= before[name].Value
			if v < 0 { // it was restarted: what it counts is since then
				v = m.Value
			}
		}
		if base, le, ok := strings.Cut(name, "_bucket_"); ok {
			if bound, err := strconv.ParseFloat(le, 64); err == nil {
				buckets[base] = append(buckets[base], bucket{bound, v})
			}
			continue
		}
		out[name] = v
	}
	for base, list := range buckets {
		slices.SortFunc(list, func(a, b bucket) int { return cmp.Compare(a.upTo, b.upTo) })
		if n := out[base+"_count"]; n > 0 {
			out[base+"_mean_seconds"] = out[base+"_sum_seconds"] / n
			out[base+"_p50_seconds"] = quantile(list, 0.50)
			out[base+"_p99_seconds"] = quantile(list, 0.99)
		}
	}
	return out
}

// bucket is a cumulative count of a histogram.
type bucket struct{ upTo, count float64 }

// quantile estimates a quantile from cumulative buckets, evenly spread within
// the one that it falls in, as Prometheus' histogram_quantile does. In the last
// bucket, which has no upper bound, it is the bound below.
func quantile(list []bucket, q float64) float64 {
	total := list[len(list)-1].count
	rank := q * total
	lower, below := 0.0, 0.0
	for _, b := range list {
		if b.count >= rank && b.count > below {
			if math.IsInf(b.upTo, 1) {
				return lower
			}
			return lower + (b.upTo-lower)*(rank-below)/(b.count-below)
		}
		lower, below = b.upTo, b.count
	}
	return lower
}

package compare

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"

	"github.com/kvscen/kvscen/internal/result"
)

// lines compares each metric of a subject.
func (s *subject) lines(metrics []metric, level float64) ([]Line, error) {
	before, err := s.views(s.base, s.from)
	if err != nil {
		return nil, err
	}
	after, err := s.views(s.new, s.to)
	if err != nil {
		return nil, err
	}
	merged := mergedPercentiles(before, after, metrics, level)
	var lines []Line
	for _, m := range metrics {
		l := Line{
			Cluster: s.label(), Phase: s.phase, Step: s.step,
			Metric: m.name, Unit: m.unit, Higher: m.higher, P: 1, Adjusted: 1,
		}
		var why [2]string
		l.Base, why[0] = sample(before, m)
		l.New, why[1] = sample(after, m)
		for i, sample := range []Sample{l.Base, l.New} {
			if sample.N == 0 && l.Reason == "" {
				l.Verdict, l.Reason = NotKnown, why[i]
			}
		}
		if l.Verdict == "" {
			l.measure(merged[m.percentile], level)
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// views reads each run of the phase on one side.
func (s *subject) views(side Side, label string) ([]*result.View, error) {
	var list []*result.View
	for _, r := range side.Runs {
		for i := range r.Clusters {
			c := &r.Clusters[i]
			ran := slices.ContainsFunc(c.Phases, func(p result.Phase) bool { return p.Name == s.phase && (s.step < len(p.Steps)) })
			if c.Label != label || !ran {
				continue
			}
			v, err := r.View(result.Selection{Cluster: label, Phase: s.phase, Repetition: c.Repetition, Step: s.step, Op: s.op})
			if err != nil {
				return nil, fmt.Errorf("a run of %s: %w", side.Name, err)
			}
			list = append(list, v)
		}
	}
	return list, nil
}

// sample reads a metric of each run in which it is known; why is the reason of
// the first in which it is not.
func sample(runs []*result.View, m metric) (s Sample, why string) {
	for _, v := range runs {
		n := v.Metric(m.name)
		if !n.OK() {
			if why == "" {
				why = n.Reason
			}
			continue
		}
		s.values = append(s.values, n.V)
	}
	s.N = len(s.values)
	if len(runs) == 0 {
		why = "did not run"
	}
	if s.N == 0 {
		s.Center = result.NA(why)
		return s, why
	}
	s.Center = result.Known(median(slices.Sorted(slices.Values(s.values))))
	return s, why
}

// mergedPercentiles compares the percentiles among the metrics, by their share.
func mergedPercentiles(before, after []*result.View, metrics []metric, level float64) map[float64]*spread {
	var percents []float64
	for _, m := range metrics {
		if m.percentile > 0 && !slices.Contains(percents, m.percentile) {
			percents = append(percents, m.percentile)
		}
	}
	a, b := histograms(before), histograms(after)
	if len(percents) == 0 || len(a) == 0 || len(b) == 0 {
		return nil
	}
	slices.Sort(percents)
	byShare := map[float64]*spread{}
	for i, s := range spreads(a, b, percents, level) {
		byShare[percents[i]] = &s
	}
	return byShare
}

func histograms(runs []*result.View) []*bins {
	var list []*bins
	for _, v := range runs {
		if b := binsOf(v.Latency); b.n > 0 {
			list = append(list, b)
		}
	}
	return list
}

// measure fills in the difference, the effect and p of a line whose metric is
// known on both sides; merged is that of a percentile, else nil.
func (l *Line) measure(merged *spread, level float64) {
	n, k := l.Base.N, l.New.N
	differences := pairwise(l.Base.values, l.New.values)
	l.Effect = cliff(differences)
	value, low, high := shift(differences, n, k, level)
	if merged != nil {
		l.Base.Center, l.New.Center = result.Known(merged.from), result.Known(merged.to)
		value, low, high = merged.to-merged.from, merged.low, merged.high
	}
	l.Delta = Interval{Value: result.Known(value), Low: result.NA("too few runs"), High: result.NA("too few runs")}
	if smallest(n, k) > level {
		l.Verdict, l.Reason = Unknown, needed(n, k, level)
		return
	}
	if !math.IsInf(low, 0) {
		l.Delta.Low, l.Delta.High = result.Known(low), result.Known(high)
	}
	l.P = pValue(l.Base.values, l.New.values)
}

// pValue is that of the two-sided Mann-Whitney test. Values that are all the same
// on both sides give 1.
func pValue(a, b []float64) float64 {
	first, last := slices.Min(a), slices.Max(a)
	if first == last && first == slices.Min(b) && last == slices.Max(b) {
		return 1
	}
	none := &benchmath.Thresholds{CompareAlpha: DefaultLevel}
	c := benchmath.AssumeNothing.Compare(benchmath.NewSample(slices.Clone(a), none), benchmath.NewSample(slices.Clone(b), none))
	if math.IsNaN(c.P) {
		return 1
	}
	return c.P
}

// needed says how many runs it takes at least.
func needed(n, m int, level float64) string {
	const most = 100
	k := 1
	for ; k < most && smallest(k, k) > level; k++ {
	}
	return fmt.Sprintf("%d and %d; at least %d a side are needed", n, m, k)
}

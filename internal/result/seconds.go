package result

import (
	"math"
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// maxBins is how many bins a second keeps.
const maxBins = 64

// Append adds a finished second: requests that completed ok and failed in it,
// and the histogram of the ok ones with their exact sum, smallest and largest
// value in nanoseconds. h may be nil where ok is 0. Percentiles follow the rule
// of Latencies.Percentile; what is unknown is a gap.
func (s *Seconds) Append(ok, failed uint32, h *hdrhistogram.Histogram, sum uint64, lowest, highest int64) {
	s.OK = append(s.OK, ok)
	s.Failed = append(s.Failed, failed)
	if ok == 0 || h == nil || h.TotalCount() == 0 {
		for _, c := range []*Values{&s.Min, &s.Mean, &s.P50, &s.P90, &s.P99, &s.P999, &s.Max} {
			*c = append(*c, math.NaN())
		}
		s.Bins = append(s.Bins, [][2]uint32{})
		return
	}
	n := uint64(h.TotalCount())
	s.Min = append(s.Min, float64(lowest))
	s.Mean = append(s.Mean, float64(sum)/float64(n))
	s.Max = append(s.Max, float64(highest))
	l := Latencies{N: n, Sum: sum, Min: lowest, Max: highest, hdr: h}
	s.P50 = append(s.P50, l.Percentile(50).orGap())
	s.P90 = append(s.P90, l.Percentile(90).orGap())
	s.P99 = append(s.P99, l.Percentile(99).orGap())
	s.P999 = append(s.P999, l.Percentile(99.9).orGap())
	s.Bins = append(s.Bins, bins(h.Export().Counts))
}

func (n Number) orGap() float64 {
	if !n.OK() {
		return math.NaN()
	}
	return n.V
}

// bins gathers the counts of a histogram of the common geometry in bins of a
// quarter of an octave. Where more than maxBins are taken the lowest ones are
// put together: it is the slow end that is looked at.
func bins(counts []int64) [][2]uint32 {
	out := [][2]uint32{}
	for i, c := range counts {
		if c == 0 {
			continue
		}
		bin := binOf(lowestAt(i))
		if n := len(out); n > 0 && out[n-1][0] == bin {
			out[n-1][1] += uint32(c)
			continue
		}
		out = append(out, [2]uint32{bin, uint32(c)})
	}
	if extra := len(out) - maxBins; extra > 0 {
		for _, b := range out[:extra] {
			out[extra][1] += b[1]
		}
		out = slices.Delete(out, 0, extra)
	}
	return out
}

// binOf is floor(log2(ns)*4); values below 1 ns are in bin 0.
func binOf(ns int64) uint32 {
	if ns <= 1 {
		return 0
	}
	return uint32(math.Log2(float64(ns)) * 4)
}

// lowestAt is the smallest value that is counted at an index of the common
// geometry: 2048 steps of 1 ns, then 1024 steps for each octave.
func lowestAt(i int) int64 {
	if i < 2048 {
		return int64(i)
	}
	return int64(1024+i%1024) << (i/1024 - 1)
}

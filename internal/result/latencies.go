package result

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Latencies are histograms opened and merged, ready for many questions. The zero
// value is empty. None, where set, is the reason that stands in n/a while it is
// empty.
type Latencies struct {
	N       uint64
	Sum     uint64 // ns
	Min     int64
	Max     int64
	Clamped uint64
	None    string
	hdr     *hdrhistogram.Histogram
}

// Add merges h without loss. A nil or empty h adds nothing.
func (l *Latencies) Add(h *Hist) error {
	if h == nil || h.N == 0 {
		return nil
	}
	d, err := h.HDR()
	if err != nil {
		return err
	}
	if got := d.TotalCount(); got < 0 || uint64(got) != h.N {
		return fmt.Errorf("a histogram of %d values holds %d", h.N, got)
	}
	return l.merge(h, d)
}

// merge adds the values of h, which d holds. It keeps d.
func (l *Latencies) merge(h *Hist, d *hdrhistogram.Histogram) error {
	if l.N == 0 {
		l.Min, l.Max, l.hdr = h.Min, h.Max, d
	} else {
		if lost := l.hdr.Merge(d); lost > 0 {
			return fmt.Errorf("merging histograms: %d values do not fit", lost)
		}
		l.Min, l.Max = min(l.Min, h.Min), max(l.Max, h.Max)
	}
	l.N, l.Sum, l.Clamped = l.N+h.N, l.Sum+h.Sum, l.Clamped+h.Clamped
	return nil
}

// samplesBeyond is how many samples a percentile needs above it to be given.
const samplesBeyond = 10

// Percentile gives the smallest recorded value, within the precision of the
// histogram, that p percent of the values do not exceed, in nanoseconds. It is
// unknown where fewer than 10 samples lie beyond it.
func (l *Latencies) Percentile(p float64) Number {
	if l == nil || l.N == 0 {
		return l.none()
	}
	n := float64(l.N)
	beyond := math.Round(n*(100-p)*1e6) / 1e8 // rounded: 100-99.9 is not exact
	if beyond < samplesBeyond {
		return NA(samples(l.N))
	}
	rank := math.Ceil(n - beyond)
	v := l.hdr.ValueAtPercentile(100 * rank / n) // the library rounds ranks, this one is whole
	return Known(float64(min(max(v, l.Min), l.Max)))
}

// Mean is exact, in nanoseconds.
func (l *Latencies) Mean() Number {
	if l == nil || l.N == 0 {
		return l.none()
	}
	return Known(float64(l.Sum) / float64(l.N))
}

// Fastest is the smallest value, exact, in nanoseconds.
func (l *Latencies) Fastest() Number {
	if l == nil || l.N == 0 {
		return l.none()
	}
	return Known(float64(l.Min))
}

// Slowest is the largest value, exact, in nanoseconds.
func (l *Latencies) Slowest() Number {
	if l == nil || l.N == 0 {
		return l.none()
	}
	return Known(float64(l.Max))
}

// stat answers to "mean", "min", "max" and "pNN"; ok is false for other names.
func (l *Latencies) stat(name string) (n Number, ok bool) {
	switch name {
	case "mean":
		return l.Mean(), true
	case "min":
		return l.Fastest(), true
	case "max":
		return l.Slowest(), true
	}
	digits, isP := strings.CutPrefix(name, "p")
	p, err := strconv.ParseFloat(digits, 64)
	if !isP || err != nil || !(p > 0 && p < 100) {
		return Number{}, false
	}
	return l.Percentile(p), true
}

func (l *Latencies) none() Number {
	if l == nil || l.None == "" {
		return NA("no samples")
	}
	return NA(l.None)
}

func samples(n uint64) string {
	if n == 1 {
		return "1 sample"
	}
	return fmt.Sprintf("%d samples", n)
}

// Each visits every value that occurs, in rising order, with its count. Values
// are as exact as the histogram keeps them.
func (l *Latencies) Each(visit func(value int64, count uint64)) {
	if l == nil || l.N == 0 {
		return
	}
	for _, bar := range l.hdr.Distribution() {
		if bar.Count > 0 {
			visit(bar.To, uint64(bar.Count))
		}
	}
}

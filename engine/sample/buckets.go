package sample

import (
	"math"
	"runtime/metrics"
	"time"
)

// buckets is a histogram of seconds: counts[i] values lie below bounds[i+1] and
// not below bounds[i].
type buckets struct {
	counts []uint64
	bounds []float64
}

// difference is what was counted after a, up to b. Without one of the two it is
// empty.
func difference(a, b *metrics.Float64Histogram) buckets {
	if a == nil || b == nil || len(a.Counts) != len(b.Counts) {
		return buckets{}
	}
	d := buckets{counts: make([]uint64, len(b.Counts)), bounds: b.Buckets}
	for i, n := range b.Counts {
		d.counts[i] = n - min(n, a.Counts[i])
	}
	return d
}

func (d buckets) count() uint64 {
	var n uint64
	for _, c := range d.counts {
		n += c
	}
	return n
}

// quantile is the upper edge of the bucket with the q-quantile, its lower edge
// where it has no end; 0 where nothing was counted.
func (d buckets) quantile(q float64) time.Duration {
	rank := uint64(math.Ceil(q * float64(d.count())))
	var below uint64
	for i, c := range d.counts {
		below += c
		if c == 0 || below < rank {
			continue
		}
		edge := d.bounds[i+1]
		if math.IsInf(edge, 1) {
			edge = d.bounds[i]
		}
		return time.Duration(edge * float64(time.Second))
	}
	return 0
}

package live

import (
	"slices"
	"time"

	"github.com/kvscen/kvscen/engine"
)

// mantissas are the bounds of buckets within a decade: neighbours differ by a
// factor of at most 1.7, so that a percentile read off them is off by less.
var mantissas = [...]float64{1, 1.5, 2, 3, 5, 7}

// bounds are the upper bounds of the buckets, from 1 µs to 100 s.
func bounds() []time.Duration {
	var list []time.Duration
	for decade := time.Microsecond; decade < 100*time.Second; decade *= 10 {
		for _, m := range mantissas {
			list = append(list, time.Duration(m*float64(decade)))
		}
	}
	return append(list, 100*time.Second)
}

// histogram adds up the latencies of intervals.
type histogram struct {
	bounds []time.Duration
	counts []uint64 // by bound; what is above the last one is in n alone
	n      uint64
	sum    time.Duration
}

func newHistogram() *histogram {
	b := bounds()
	return &histogram{bounds: b, counts: make([]uint64, len(b))}
}

func (h *histogram) add(i *engine.Interval) {
	h.sum += i.Sum
	for latency, n := range i.Latencies {
		h.n += n
		if at, _ := slices.BinarySearch(h.bounds, latency); at < len(h.bounds) {
			h.counts[at] += n
		}
	}
}

// buckets are the counts up to each bound, in seconds.
func (h *histogram) buckets() map[float64]uint64 {
	upTo := make(map[float64]uint64, len(h.bounds))
	sum := uint64(0)
	for i, bound := range h.bounds {
		sum += h.counts[i]
		upTo[bound.Seconds()] = sum
	}
	return upTo
}

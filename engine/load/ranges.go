package load

import (
	"math"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

const (
	rangeWidth = 1000 // requests in a range, until there are too many ranges
	maxRanges  = 4096 // of 32 bytes each, for each operation in each shard
)

// ranges are latencies by the number of the request in its step. Their memory is
// bounded: where there would be more than maxRanges, two neighbours become one.
// Clients take numbers in order, so that nearly every request falls into the
// range of the one before.
type ranges struct {
	width   uint64   // numbers in a range; 0: none yet
	low     uint64   // first number of the current one
	current *stretch // one of all
	all     []stretch
}

// stretch is one range; without a request, min is never.
type stretch struct {
	n             uint64
	sum, min, max time.Duration
}

// add counts an ok request.
func (r *ranges) add(n uint64, took time.Duration) {
	if n-r.low >= r.width { // so are numbers below low
		r.seek(n)
	}
	s := r.current
	s.n++
	s.sum += took
	s.min = min(s.min, took)
	s.max = max(s.max, took)
}

func (s *stretch) add(from *stretch) {
	s.n, s.sum = s.n+from.n, s.sum+from.sum
	s.min, s.max = min(s.min, from.min), max(s.max, from.max)
}

// seek makes the range of a number the current one.
func (r *ranges) seek(n uint64) {
	r.width = max(r.width, rangeWidth)
	for n/r.width >= maxRanges {
		r.widen()
	}
	at := n / r.width
	for uint64(len(r.all)) <= at {
		r.all = append(r.all, stretch{min: never})
	}
	r.low, r.current = at*r.width, &r.all[at]
}

// widen puts neighbours together. No range is the current one until the next seek.
func (r *ranges) widen() {
	r.width *= 2
	half := (len(r.all) + 1) / 2
	for i := range half {
		pair := r.all[2*i]
		if next := 2*i + 1; next < len(r.all) {
			pair.add(&r.all[next])
		}
		r.all[i] = pair
	}
	r.all = r.all[:half]
}

// merge adds the ranges of another shard.
func (r *ranges) merge(from *ranges) {
	for i := range from.all {
		if from.all[i].n == 0 {
			continue
		}
		for r.width < from.width {
			if r.width == 0 {
				r.width = from.width
				break
			}
			r.widen()
		}
		r.seek(uint64(i) * from.width)
		r.current.add(&from.all[i])
	}
}

// result gives the columns of a step whose requests are every stride-th of the
// phase from first on; nil, where nothing was ok.
func (r *ranges) result(first, stride uint64) *result.Ranges {
	if len(r.all) == 0 {
		return nil
	}
	out := &result.Ranges{First: first, Width: r.width * stride}
	for _, s := range r.all {
		out.OK = append(out.OK, uint32(s.n))
		if s.n == 0 {
			out.Min, out.Mean, out.Max = append(out.Min, math.NaN()), append(out.Mean, math.NaN()), append(out.Max, math.NaN())
			continue
		}
		out.Min = append(out.Min, float64(s.min))
		out.Mean = append(out.Mean, math.Round(float64(s.sum)/float64(s.n)))
		out.Max = append(out.Max, float64(s.max))
	}
	return out
}

package dist

import (
	"math"
	"sort"
)

// Sizes draws sizes in bytes.
type Sizes interface {
	// At is draw n of the stream.
	At(s Stream, n uint64) int
	// Max is the largest size that can be drawn.
	Max() int
}

// Fixed is always the same size.
type Fixed int

// At is the size.
func (f Fixed) At(Stream, uint64) int { return int(f) }

// Max is the size.
func (f Fixed) Max() int { return int(f) }

// Between is uniform over Lo … Hi, both included.
type Between struct{ Lo, Hi int }

// At is draw n of the stream.
func (b Between) At(s Stream, n uint64) int {
	return b.Lo + int(Below(s.At(n), uint64(b.Hi-b.Lo)+1))
}

// Max is Hi.
func (b Between) Max() int { return b.Hi }

// Normal has the given mean and standard deviation, rounded, and cut off at 0
// and at normalReach standard deviations above the mean.
type Normal struct{ Mean, Stddev float64 }

// normalReach is beyond what one draw in 10^23 exceeds.
const normalReach = 10

// At is draw n of the stream, by the method of Box and Muller.
func (g Normal) At(s Stream, n uint64) int {
	sub := s.Sub(n)
	radius := math.Sqrt(-2 * math.Log(1-Unit(sub.At(0))))
	x := g.Mean + g.Stddev*radius*math.Cos(2*math.Pi*Unit(sub.At(1)))
	return min(max(int(math.Round(x)), 0), g.Max())
}

// Max is the size at which draws are cut off.
func (g Normal) Max() int { return int(math.Round(g.Mean + normalReach*g.Stddev)) }

// Histogram draws one of the sizes by weight.
type Histogram struct {
	sizes []int
	upTo  []float64 // cumulative weights, the last is 1
}

// NewHistogram takes sizes and their weights, which add up to more than nothing.
func NewHistogram(sizes []int, weights []float64) Histogram {
	h := Histogram{sizes: sizes, upTo: make([]float64, len(sizes))}
	sum := 0.0
	for i, w := range weights {
		sum += w
		h.upTo[i] = sum
	}
	for i := range h.upTo {
		h.upTo[i] /= sum
	}
	return h
}

// At is draw n of the stream.
func (h Histogram) At(s Stream, n uint64) int {
	i := sort.SearchFloat64s(h.upTo, math.Nextafter(Unit(s.At(n)), 2))
	return h.sizes[min(i, len(h.sizes)-1)]
}

// Max is the largest of the sizes.
func (h Histogram) Max() int {
	largest := 0
	for _, s := range h.sizes {
		largest = max(largest, s)
	}
	return largest
}

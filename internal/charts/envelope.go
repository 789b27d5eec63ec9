package charts

import (
	"cmp"
	"math"
	"slices"
)

// MaxPoints is how many points a line has at most: more than there are pixels.
const MaxPoints = 1500

// Envelope thins a line out to at most MaxPoints points. Of each stretch it keeps
// the smallest and the largest value, so that no peak is lost; a stretch without
// a value stays a gap.
func Envelope(xy []XY) []XY {
	if len(xy) <= MaxPoints {
		return xy
	}
	stretches := MaxPoints / 2
	out := make([]XY, 0, MaxPoints)
	for i := range stretches {
		part := xy[i*len(xy)/stretches : (i+1)*len(xy)/stretches]
		low, high := -1, -1
		for j, p := range part {
			if math.IsNaN(p.Y) {
				continue
			}
			if low < 0 || p.Y < part[low].Y {
				low = j
			}
			if high < 0 || p.Y > part[high].Y {
				high = j
			}
		}
		switch {
		case low < 0:
			out = append(out, part[0])
		case low == high:
			out = append(out, part[low])
		default:
			out = append(out, part[min(low, high)], part[max(low, high)])
		}
	}
	return out
}

// sorted puts points in the order of X, and a gap where seconds are left out.
func sorted(xy []XY) []XY {
	slices.SortStableFunc(xy, func(a, b XY) int { return cmp.Compare(a.X, b.X) })
	const second = 1.0
	out := make([]XY, 0, len(xy))
	for i, p := range xy {
		if i > 0 && p.X-xy[i-1].X > 1.5*second {
			out = append(out, point(xy[i-1].X+second, math.NaN()))
		}
		out = append(out, p)
	}
	return out
}

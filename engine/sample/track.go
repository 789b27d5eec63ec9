package sample

import (
	"math"
	"slices"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

// Samples are the columns of a phase that began at from and ended at to. A
// value stands at the end of the second that it covers, so that the first one
// may reach back before from. Figures of which nothing is known have no column.
func (s *Sampler) Samples(from, to time.Time) result.Samples {
	s.mu.Lock()
	defer s.mu.Unlock()
	step := s.log.step
	start, end := from.Sub(s.base), to.Sub(s.base)
	first := max(1, int((start+step-1)/step))
	last := min(len(s.log.to)-1, int(end/step))
	out := result.Samples{Start: time.Duration(first)*step - start, Step: step}
	if first > last {
		return out
	}
	for _, c := range s.log.columns {
		values := c.values[first : last+1]
		if slices.ContainsFunc(values, func(v float64) bool { return !math.IsNaN(v) }) {
			out.Tracks = append(out.Tracks, result.Track{
				Source: c.source, Name: c.name, Values: slices.Clone(values),
			})
		}
	}
	return out
}

package sample

import "time"

// Edge is everything as it stood at one edge of a window.
type Edge struct {
	At time.Time

	now    snapshot
	health health
}

// Edge reads everything now. It takes a millisecond or two.
func (s *Sampler) Edge() Edge {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.read()
	return Edge{At: now.at, now: now, health: readHealth()}
}

// offset is where the edge lies on the time base of the samples.
func (s *Sampler) offset(e Edge) time.Duration { return e.At.Sub(s.base) }

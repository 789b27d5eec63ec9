package plan

import (
	"math"
	"time"
)

// likelyRequests are those of a step, as far as they can be known: no more than
// asked for, and no more than its time allows.
func (s *Step) likelyRequests(n Nominal) float64 {
	if s.Duration == 0 {
		return float64(s.Requests)
	}
	inTime := s.Rate.due(s.Duration.Seconds())
	if s.Rate.Closed() {
		inTime = s.Duration.Seconds() * s.closedRate(n)
	}
	if s.Requests > 0 {
		return min(inTime, float64(s.Requests))
	}
	return inTime
}

// seconds is how long a step takes; infinite: it can't be known.
func (s *Step) seconds(n Nominal) float64 {
	limit := math.Inf(1)
	if s.Duration > 0 {
		limit = s.Duration.Seconds()
	}
	if s.Requests == 0 {
		return limit
	}
	if !s.Rate.Closed() {
		return min(limit, s.Rate.until(float64(s.Requests)))
	}
	if rate := s.closedRate(n); rate > 0 {
		return min(limit, float64(s.Requests)/rate)
	}
	return limit
}

// closedRate is how many requests a second the clients of a closed loop send;
// 0: not known.
func (s *Step) closedRate(n Nominal) float64 {
	switch {
	case n.Latency <= 0:
		return n.Throughput
	case n.Throughput <= 0:
		return float64(s.Clients) / n.Latency.Seconds()
	}
	return min(float64(s.Clients)/n.Latency.Seconds(), n.Throughput)
}

// due is how many requests are due in the first t seconds.
func (r Rate) due(t float64) float64 {
	over := r.Over.Seconds()
	ramp := min(t, over)
	if over <= 0 {
		return r.To * t
	}
	return ramp*(r.From+(r.To-r.From)*ramp/over/2) + max(t-over, 0)*r.To
}

// until is after how many seconds n requests are due.
func (r Rate) until(n float64) float64 {
	over := r.Over.Seconds()
	inRamp := r.due(over)
	if over <= 0 || n >= inRamp {
		return over + (n-inRamp)/r.To
	}
	slope := (r.To - r.From) / over
	if slope == 0 {
		return n / r.From
	}
	return (math.Sqrt(r.From*r.From+2*slope*n) - r.From) / slope
}

func seconds(s float64) time.Duration {
	return time.Duration(min(s*1e9, math.MaxInt64/2))
}

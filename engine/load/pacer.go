// Package load sends one phase's requests: pacers say when each is due, virtual
// clients send them, and a recorder counts and times them. It opens no socket
// and starts no process, and is tested in virtual time.
package load

import (
	"math"
	"sort"
	"time"

	"github.com/kvscen/kvscen/internal/plan"
)

// A Pacer is a schedule. It is pure and shared by all clients.
type Pacer interface {
	// At says when request n is due, from the start of the step, and whether
	// there is such a request. It grows with n.
	At(n uint64) (due time.Duration, more bool)
}

// limits end a schedule with its requests or its duration, whichever comes first.
type limits struct {
	requests uint64        // 0: no limit
	duration time.Duration // 0: no limit
}

func (l limits) allow(n uint64, due time.Duration) bool {
	return (l.requests == 0 || n < l.requests) && (l.duration == 0 || due < l.duration)
}

// constant is the schedule of a fixed rate: request n is due at n / rate.
type constant struct {
	limits
	rate float64 // a second
}

func (c constant) At(n uint64) (time.Duration, bool) {
	due := seconds(float64(n) / c.rate)
	return due, c.allow(n, due)
}

// ramp changes the rate evenly from one to another and then keeps it. Until then
// the requests due by t are from*t + (to-from)*t²/(2*over), which At solves for t.
type ramp struct {
	limits
	from, to float64 // a second
	over     float64 // s
}

func (r ramp) At(n uint64) (time.Duration, bool) {
	due := seconds(r.solve(float64(n)))
	return due, r.allow(n, due)
}

func (r ramp) solve(n float64) float64 {
	if whole := (r.from + r.to) / 2 * r.over; n >= whole {
		if r.to <= 0 {
			return math.Inf(1)
		}
		return r.over + (n-whole)/r.to
	}
	slope := (r.to - r.from) / r.over
	// The root as 2n/(from + √…) has no cancellation where slope is near 0.
	return 2 * n / (r.from + math.Sqrt(max(r.from*r.from+2*slope*n, 0)))
}

// seconds rounds to nanoseconds without overflow: what is never due is due in
// 292 years.
func seconds(s float64) time.Duration {
	if ns := math.Round(s * 1e9); ns < math.MaxInt64 {
		return time.Duration(ns)
	}
	return math.MaxInt64
}

// shard is a client machine's part of a schedule: every count-th request from
// index on.
type shard struct {
	of           Pacer
	index, count uint64
}

func (s shard) At(n uint64) (time.Duration, bool) { return s.of.At(n*s.count + s.index) }

// newPacer makes the schedule of a step; nil for a closed loop.
func newPacer(step *plan.Step) Pacer {
	l := limits{requests: step.Requests, duration: step.Duration}
	switch r := step.Rate; {
	case r.Closed():
		return nil
	case r.Over > 0 && r.From != r.To:
		return ramp{l, r.From, r.To, r.Over.Seconds()}
	default:
		return constant{l, r.To}
	}
}

// dueBefore counts the requests of a schedule that are due before t.
func dueBefore(p Pacer, t time.Duration) uint64 {
	const most = 1 << 50
	return uint64(sort.Search(most, func(n int) bool {
		due, more := p.At(uint64(n))
		return !more || due >= t
	}))
}

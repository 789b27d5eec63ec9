package mem

import (
	"math"
	"sync/atomic"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// script is how a member serves its requests. What befalls request n is a
// function of n alone; only the stalls look at the clock. Times are counted
// from the member's base.
type script struct {
	service, jitter time.Duration
	stallEvery      uint64
	stallFor        time.Duration
	errorRate       float64
	lossRate        float64
	corruptRate     float64
	misreadRate     float64
	plain           bool // no request is served otherwise than at once

	next       atomic.Uint64 // requests begun
	stallUntil atomic.Int64  // end of the last stall
}

// fate is what the script has for one request.
type fate struct {
	service time.Duration
	stall   bool // it begins a stall
	refused bool
	lost    bool
	corrupt bool // a get answers with one byte changed
	misread bool // a get answers with the value of another key
}

// newScript reads the options, whose ranges have been checked.
func newScript(spec *drivers.Spec, options map[string]any) *script {
	s := &script{
		service:   drivers.OptionOf[time.Duration](spec, options, "service"),
		jitter:    drivers.OptionOf[time.Duration](spec, options, "jitter"),
		stallFor:  drivers.OptionOf[time.Duration](spec, options, "stall_for"),
		errorRate: drivers.OptionOf[float64](spec, options, "error_rate"),
		lossRate:  drivers.OptionOf[float64](spec, options, "loss_rate"),

		corruptRate: drivers.OptionOf[float64](spec, options, "corrupt_rate"),
		misreadRate: drivers.OptionOf[float64](spec, options, "misread_rate"),
	}
	if s.stallFor > 0 {
		s.stallEvery = uint64(drivers.OptionOf[int64](spec, options, "stall_every"))
	}
	s.plain = s.service == 0 && s.jitter == 0 && s.stallEvery == 0 &&
		s.errorRate == 0 && s.lossRate == 0 && s.corruptRate == 0 && s.misreadRate == 0
	return s
}

// fate of request n, counted from 0. A request that is due for both is lost.
func (s *script) fate(n uint64) fate {
	f := fate{
		service: s.service,
		stall:   s.stallEvery > 0 && n > 0 && n%s.stallEvery == 0,
		// A part of a request apart, so that equal rates do not fall together.
		lost: crosses(n, s.lossRate, 0.5),
	}
	f.refused = !f.lost && crosses(n, s.errorRate, 0)
	f.corrupt = crosses(n, s.corruptRate, 0.25)
	f.misread = !f.corrupt && crosses(n, s.misreadRate, 0.75)
	if s.jitter > 0 {
		f.service += time.Duration(unit(n) * float64(s.jitter))
	}
	return f
}

// crosses reports whether the count of events, rate of each request, reaches a
// further whole number with request n: events are spread evenly, and among any
// N requests their number is right to within one.
func crosses(n uint64, rate, offset float64) bool {
	return rate > 0 && math.Floor(float64(n+1)*rate+offset) > math.Floor(float64(n)*rate+offset)
}

// unit is a draw from [0, 1) that depends on n alone: a Weyl sequence on the
// golden ratio, whose values are spread evenly over any stretch of requests.
func unit(n uint64) float64 {
	const golden = 0x9E3779B97F4A7C15
	return float64((n*golden)>>11) / (1 << 53)
}

// begin takes the next request, arrived at now, and says what befalls it and
// when its service ends. During a stall nothing is begun.
func (s *script) begin(now time.Duration) (fate, time.Duration) {
	if s.plain {
		return fate{}, now
	}
	f := s.fate(s.next.Add(1) - 1)
	if f.stall {
		s.stall(now)
	}
	return f, max(now, s.stalled()) + f.service
}

// stalled is when the last stall ends.
func (s *script) stalled() time.Duration { return time.Duration(s.stallUntil.Load()) }

// stall begins a stall at now, or makes the present one longer.
func (s *script) stall(now time.Duration) {
	for {
		old := s.stallUntil.Load()
		if s.stallUntil.CompareAndSwap(old, max(old, int64(now))+int64(s.stallFor)) {
			return
		}
	}
}

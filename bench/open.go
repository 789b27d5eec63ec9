package main

import (
	"math"
	"time"

	"golang.org/x/sys/unix"

	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

const (
	openFor     = 30 * time.Second
	openClients = 64
)

// openLoop holds schedules against the clock, and puts the lag beside that of a
// loop that does nothing but sleep until the same times.
func openLoop(s *sheet) error {
	dial, stop, err := onMem()
	if err != nil {
		return err
	}
	defer stop()
	for _, rate := range []float64{1000, 10_000, 50_000} {
		out, err := run(op("get", plan.OrderOne),
			plan.Step{Clients: openClients, Connections: openClients, Duration: openFor, Rate: plan.Rate{From: rate, To: rate}}, dial, nil)
		if err != nil {
			return err
		}
		r := &out.Result
		achieved := float64(r.Counts.OK) / (r.To - r.From).Seconds()
		p50, p99, err := sleeps(rate)
		if err != nil {
			return err
		}
		s.say("%.0f/s: lag p50 %v, p99 %v; a bare clock_nanosleep loop: %v, %v", rate,
			lag(r.Lag, 50), lag(r.Lag, 99), p50, p99)
		s.limit("rate is off by", 100*math.Abs(achieved-rate)/rate, 0.1, " %")
		s.limit("missed", float64(r.Counts.Missed), 0, "")
	}
	return nil
}

func lag(h *result.Hist, p float64) time.Duration {
	return time.Duration(h.Percentile(p).V).Round(100 * time.Nanosecond)
}

// sleeps is how late a loop is that sleeps until each due time.
func sleeps(rate float64) (p50, p99 time.Duration, err error) {
	const most = 5 * time.Second
	h, start := result.NewHDR(), time.Now()
	for n := 0; ; n++ {
		due := time.Duration(float64(n) / rate * 1e9)
		if due > most {
			break
		}
		if wait := due - time.Since(start); wait > 0 {
			t := unix.NsecToTimespec(int64(wait))
			_ = unix.ClockNanosleep(unix.CLOCK_MONOTONIC, 0, &t, nil) // an interrupted one counts as it is
		}
		if err := h.RecordValue(int64(max(time.Since(start)-due, 0))); err != nil {
			return 0, 0, err
		}
	}
	at := func(p float64) time.Duration {
		return time.Duration(h.ValueAtPercentile(p)).Round(100 * time.Nanosecond)
	}
	return at(50), at(99), nil
}

package main

import (
	"fmt"
	"io"
	"slices"
	"syscall"
	"time"
)

// sheet takes the figures down.
type sheet struct {
	out  io.Writer
	over bool // a figure was over its limit

	passed []string // what could not be measured here, and why
	bin    string   // kvscen, once it has been built
	remove func()
}

// binary builds kvscen for all that need it; close removes it.
func (s *sheet) binary() (string, error) {
	if s.bin != "" {
		return s.bin, nil
	}
	var err error
	s.bin, s.remove, err = build()
	return s.bin, err
}

func (s *sheet) close() {
	if s.remove != nil {
		s.remove()
	}
}

// say writes a figure that has no limit.
func (s *sheet) say(format string, args ...any) {
	fmt.Fprintf(s.out, "  "+format+"\n", args...)
}

// pass notes what can't be measured here, to be said now and at the end.
func (s *sheet) pass(what, why string) {
	text := fmt.Sprintf("%s is not installed: %s", what, why)
	s.say("%s", text)
	s.passed = append(s.passed, text)
}

// limit writes a figure and holds it against its limit.
func (s *sheet) limit(what string, got, most float64, unit string) {
	verdict := "ok"
	if got > most {
		verdict, s.over = "OVER", true
	}
	fmt.Fprintf(s.out, "  %s: %.4g%s, at most %.4g%s: %s\n", what, got, unit, most, unit, verdict)
}

// pairs measures a and b in turn, n times, and holds the median of the ratios
// a/b against a limit. Each returns its cost a request in nanoseconds.
func (s *sheet) pairs(n int, most float64, a, b func() (float64, error)) error {
	var as, bs, ratios []float64
	for range n {
		x, err := a()
		if err != nil {
			return err
		}
		y, err := b()
		if err != nil {
			return err
		}
		as, bs, ratios = append(as, x), append(bs, y), append(ratios, x/y)
	}
	s.say("%.0f ns against %.0f ns a request (medians of %d pairs); ratios %.3f to %.3f",
		median(as), median(bs), n, slices.Min(ratios), slices.Max(ratios))
	s.limit("median ratio", median(ratios), most, "")
	return nil
}

func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// cpu is the CPU time that this process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // of one's own process it can't fail
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

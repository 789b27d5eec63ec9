package inproc

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// Options reads the options of a member as its driver declares them. What is out
// of range is kept for Err.
type Options struct {
	spec   *drivers.Spec
	values map[string]any
	errs   []error
}

// Err tells all that was out of range.
func (o *Options) Err() error { return errors.Join(o.errs...) }

// Bool reads a switch.
func (o *Options) Bool(name string) bool { return drivers.OptionOf[bool](o.spec, o.values, name) }

// Float reads a number from least to most.
func (o *Options) Float(name string, least, most float64) float64 {
	return within(o, name, least, most)
}

// Int reads a whole number of at least least, and no more than 32 bits hold.
func (o *Options) Int(name string, least int64) int {
	return int(within(o, name, least, math.MaxInt32))
}

// Bytes reads a size of at least least.
func (o *Options) Bytes(name string, least int64) int64 {
	return within(o, name, least, math.MaxInt64)
}

// Duration reads a time of at least 0.
func (o *Options) Duration(name string) time.Duration {
	return within(o, name, time.Duration(0), math.MaxInt64)
}

// Choice reads one of some words.
func (o *Options) Choice(name string, choices ...string) string {
	v := drivers.OptionOf[string](o.spec, o.values, name)
	if !slices.Contains(choices, v) {
		o.errs = append(o.errs, fmt.Errorf("option %s = %q: want one of %s", name, v, strings.Join(choices, ", ")))
	}
	return v
}

func within[T interface {
	int64 | float64 | time.Duration
	cmp.Ordered
}](o *Options, name string, least, most T) T {
	v := drivers.OptionOf[T](o.spec, o.values, name)
	if v < least || v > most {
		o.errs = append(o.errs, fmt.Errorf("option %s = %v: want %v to %v", name, v, least, most))
	}
	return v
}

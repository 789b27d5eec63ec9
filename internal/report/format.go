package report

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// The formats of figures. Each takes the unit that package result uses.

// whole prints a count with commas: 1,000,000.
func whole(v float64) string { return commas(strconv.FormatFloat(v, 'f', 0, 64)) }

// decimals prints v with n decimals and commas: 1,234.50.
func decimals(v float64, n int) string { return commas(strconv.FormatFloat(v, 'f', n, 64)) }

func seconds(v float64) string { return decimals(v, 4) + " sec" }

func percent(v float64) string { return decimals(v, 2) + " %" }

func ratio(v float64) string { return decimals(v, 2) }

// throughput prints requests a second; below ten a whole number says too little.
func throughput(v float64) string {
	if v < 10 && v != math.Trunc(v) {
		return decimals(v, 2) + " req/sec"
	}
	return whole(v) + " req/sec"
}

// milliseconds prints nanoseconds to the nanosecond: 2.402266 ms.
func milliseconds(v float64) string { return decimals(v/1e6, 6) + " ms" }

// shortMilliseconds prints nanoseconds with four decimals, and with six where
// four would leave nothing: 1.0256 ms.
func shortMilliseconds(v float64) string {
	if v < 1e4 {
		return milliseconds(v)
	}
	return decimals(v/1e6, 4) + " ms"
}

// cellMilliseconds is the short form in columns headed by their unit.
func cellMilliseconds(v float64) string {
	switch {
	case v < 1e4:
		return decimals(v/1e6, 6)
	case v < 1e6:
		return decimals(v/1e6, 4)
	default:
		return decimals(v/1e6, 3)
	}
}

// size prints bytes in decimal units: 4.9 GB, 270 MB, 17 B.
func size(v float64) string {
	units := []string{"B", "kB", "MB", "GB", "TB", "PB"}
	i := 0
	for v >= 999.5 && i < len(units)-1 {
		v /= 1000
		i++
	}
	if i > 0 && v < 9.95 {
		return decimals(v, 1) + " " + units[i]
	}
	return whole(v) + " " + units[i]
}

// span prints a duration to the millisecond, long ones to the second.
func span(d time.Duration) string {
	if d.Abs() >= time.Minute {
		return d.Round(time.Second).String()
	}
	return d.Round(time.Millisecond).String()
}

// commas puts a comma before each group of three digits of a decimal number.
func commas(s string) string {
	sign, digits := "", s
	if strings.HasPrefix(s, "-") {
		sign, digits = "-", s[1:]
	}
	whole, fraction, hasFraction := strings.Cut(digits, ".")
	var b strings.Builder
	for i, r := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	if hasFraction {
		return sign + b.String() + "." + fraction
	}
	return sign + b.String()
}

// plural prints a count and its noun: 1 step, 8 steps.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return whole(float64(n)) + " " + noun + "s"
}

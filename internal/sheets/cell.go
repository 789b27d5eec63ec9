package sheets

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/kvscen/kvscen/internal/result"
)

// decimal prints a figure; NaN, which stands for what is not known, is empty.
func decimal(v float64, digits int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'f', digits, 64)
}

// milliseconds prints nanoseconds.
func milliseconds(ns float64) string { return decimal(ns/1e6, 6) }

func megabytes(bytes float64) string { return decimal(bytes/1e6, 3) }

func whole[T int | uint | uint32 | uint64 | int64](n T) string {
	return strconv.FormatInt(int64(n), 10)
}

// known is the figure, or NaN.
func known(n result.Number) float64 {
	if !n.OK() {
		return math.NaN()
	}
	return n.V
}

// at is a value of a column, NaN beyond its end.
func at(v result.Values, i int) float64 {
	if i < 0 || i >= len(v) {
		return math.NaN()
	}
	return v[i]
}

// unix is the second of the wall clock at an offset from the phase's start.
func (s *subject) unix(offset time.Duration) string {
	return whole(s.phase.Start.Add(offset).Unix())
}

// text keeps a foreign text on its line, and from being taken for a formula.
func text(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
	if s != "" && strings.ContainsRune("=+-@", rune(s[0])) {
		return "'" + s
	}
	return s
}

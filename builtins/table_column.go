package builtins

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/result"
)

// columnFormat learns from all figures of a column how each is to be printed:
// in one unit, with the same number of decimals.
type columnFormat struct {
	unit      string
	durations int
	numbers   int
	texts     int
	largest   float64   // of the durations, in nanoseconds
	known     []float64 // figures in the unit of the column, or in nanoseconds until that is settled
	scale     float64
	decimals  int
}

// take reads a cell: nil for a text. Figures are as they were given, in
// nanoseconds and bytes.
func (f *columnFormat) take(v starlark.Value) (*result.Number, error) {
	switch v := v.(type) {
	case starlark.NoneType:
		return nil, nil
	case starlark.String:
		f.texts++
		return nil, nil
	case notKnown:
		n := result.NA(v.reason)
		return &n, nil
	case Duration:
		return f.duration(v)
	case starlark.Int, starlark.Float:
		return f.number(v)
	}
	return nil, fmt.Errorf("want a number, a duration, a text, a figure of the result or None, got %s", describe(v))
}

func (f *columnFormat) duration(d Duration) (*result.Number, error) {
	if f.durations++; f.numbers > 0 {
		return nil, fmt.Errorf("%s is a duration, those above are numbers", d)
	}
	if _, ok := durationUnit(f.unit); !ok && f.unit != "" {
		return nil, fmt.Errorf("%s is a duration, the unit of the column is %q: want ns, us, ms, s, min or h", d, f.unit)
	}
	f.largest = max(f.largest, math.Abs(float64(d)))
	return f.figure(float64(d)), nil
}

func (f *columnFormat) number(v starlark.Value) (*result.Number, error) {
	n, err := realNumber(v)
	if err != nil {
		return nil, err
	}
	if f.numbers++; f.durations > 0 {
		return nil, fmt.Errorf("%s is a number, those above are durations", v)
	}
	if _, ok := durationUnit(f.unit); ok {
		return nil, fmt.Errorf("%s is a number, the unit of the column is %q: give it a unit, as in %s * ms", v, f.unit, v)
	}
	return f.figure(n), nil
}

func (f *columnFormat) figure(v float64) *result.Number {
	f.known = append(f.known, v)
	return &result.Number{V: v}
}

// words reports whether the column holds texts and no figure.
func (f *columnFormat) words() bool { return f.texts > 0 && f.durations+f.numbers == 0 }

// settle chooses the unit, where there is none, and the decimals.
func (f *columnFormat) settle() {
	if f.unit == "" && f.durations > 0 {
		f.unit = unitFor(time.Duration(f.largest))
	}
	f.scale = 1
	if d, ok := durationUnit(f.unit); ok {
		f.scale = float64(d)
	} else if bytes, ok := byteUnit(strings.TrimSuffix(f.unit, "/s")); ok {
		f.scale = bytes
	}
	smallest, whole := math.Inf(1), true
	for _, v := range f.known {
		v = math.Abs(v / f.scale)
		whole = whole && v == math.Trunc(v)
		if v > 0 {
			smallest = min(smallest, v)
		}
	}
	if !whole {
		f.decimals = int(min(max(2-math.Floor(math.Log10(smallest)), 0), maxDecimals))
	}
}

// maxDecimals bounds how many decimals a small figure gives to its column, in
// which three digits of it are shown else.
const maxDecimals = 4

// cell prints a cell that was taken.
func (f *columnFormat) cell(v starlark.Value, figure *result.Number) result.Cell {
	switch {
	case figure == nil:
		text, _ := starlark.AsString(v) // of None: empty
		return result.Cell{Text: text}
	case !figure.OK():
		return result.Cell{Text: "n/a", Value: figure}
	}
	scaled := result.Known(figure.V / f.scale)
	return result.Cell{Text: grouped(strconv.FormatFloat(scaled.V, 'f', f.decimals, 64)), Value: &scaled}
}

// grouped puts a comma before each group of three digits.
func grouped(s string) string {
	whole, fraction, _ := strings.Cut(s, ".")
	digits := strings.TrimPrefix(whole, "-")
	var b strings.Builder
	b.WriteString(whole[:len(whole)-len(digits)])
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	if fraction != "" {
		b.WriteString("." + fraction)
	}
	return b.String()
}

package draw

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"github.com/kvscen/kvscen/internal/charts"
)

const (
	labelSize = vg.Length(10)
	tickSize  = vg.Length(9)
)

func scaleAxis(a *plot.Axis, from charts.Axis) {
	a.Label.Text = from.Label
	a.Label.TextStyle.Font = font.From(sans(), labelSize)
	a.Tick.Label.Font = font.From(sans(), tickSize)
	a.Padding = 0
	a.Tick.Marker = evenTicks{}
	switch from.Scale {
	case charts.Log:
		a.Scale = plot.LogScale{}
		a.Tick.Marker = logTicks{}
	case charts.Nines:
		a.Tick.Marker = nineTicks{}
	}
}

// evenTicks divides a linear axis in steps of 1, 2 or 5.
type evenTicks struct{}

func (evenTicks) Ticks(low, high float64) []plot.Tick {
	const about = 6
	step := math.Pow(10, math.Floor(math.Log10((high-low)/about)))
	for _, factor := range []float64{2, 2.5, 2} {
		if (high-low)/step > about+1 {
			step *= factor
		}
	}
	var ticks []plot.Tick
	for i := math.Ceil(low / step); i*step <= high*(1+1e-9) && len(ticks) < 4*about; i++ {
		ticks = append(ticks, plot.Tick{Value: i * step, Label: number(i * step)})
	}
	return ticks
}

// logTicks labels the powers of ten; where there are few of them also 2 and 5,
// and over less than an octave even steps.
type logTicks struct{}

func (logTicks) Ticks(low, high float64) []plot.Tick {
	if high/low < 3 {
		return evenTicks{}.Ticks(low, high)
	}
	decades := math.Log10(high / low)
	var ticks []plot.Tick
	for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
		for digit := 1; digit <= 9; digit++ {
			v := float64(digit) * math.Pow(10, e)
			t := plot.Tick{Value: v}
			if digit == 1 && (decades < 8.5 || int(e)%2 == 0) || decades < 3 && (digit == 2 || digit == 5) {
				t.Label = number(v)
			}
			if v >= low && v <= high {
				ticks = append(ticks, t)
			}
		}
	}
	return ticks
}

// nineTicks labels 0, 90, 99, 99.9 ... percent.
type nineTicks struct{}

func (nineTicks) Ticks(low, high float64) []plot.Tick {
	ticks := []plot.Tick{{Value: 0, Label: "0 %"}, {Value: -math.Log10(0.5), Label: "50 %"}}
	for nines := 1; float64(nines) <= high; nines++ {
		label := strconv.FormatFloat(100*(1-math.Pow(10, -float64(nines))), 'f', max(0, nines-2), 64)
		ticks = append(ticks, plot.Tick{Value: float64(nines), Label: label + " %"})
	}
	return ticks
}

// number prints a tick with commas and no digit too many.
func number(v float64) string {
	text := strconv.FormatFloat(math.Round(v*1e9)/1e9, 'f', -1, 64)
	dot := len(text)
	for i, r := range text {
		if r == '.' {
			dot = i
		}
	}
	first := 0
	if v < 0 {
		first = 1
	}
	for i := dot - 3; i > first; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

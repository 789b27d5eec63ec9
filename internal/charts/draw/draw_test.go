package draw

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot"

	"github.com/kvscen/kvscen/internal/charts"
)

func xy(points ...float64) []charts.XY {
	var list []charts.XY
	for i, y := range points {
		list = append(list, charts.XY{X: float64(i), Y: y, Low: math.NaN(), High: math.NaN()})
	}
	return list
}

func chart(scale charts.Scale, lines ...charts.Line) *charts.Chart {
	return &charts.Chart{
		Name: "test", Phase: "write", Title: "Latency <of> &", Time: true,
		X: charts.Axis{Label: "time (s)", Scale: charts.Linear}, Y: charts.Axis{Label: "latency (ms)", Scale: scale}, Lines: lines,
		Events: []charts.Event{{At: 1, Text: "etcd: leader"}, {At: 1e9, Text: "far away"}},
	}
}

// odd are charts that an axis could stumble over.
func odd() map[string]*charts.Chart {
	nan, inf := math.NaN(), math.Inf(1)
	line := func(points ...float64) charts.Line { return charts.Line{Label: "etcd", XY: xy(points...)} }
	many := chart(charts.Linear)
	for i := range 40 {
		many.Lines = append(many.Lines, charts.Line{Label: fmt.Sprintf("a cluster with a long name %d", i), Color: i, XY: xy(1, 2, 3)})
	}
	heat := chart(charts.Log)
	heat.Heat = &charts.Heat{Start: 0, Step: 1, Low: 80, Counts: [][]uint{{1, 0, 5}, {0, 0, 0}, {9, 9, 9}}}
	nines := chart(charts.Log, line(1, 2, 3))
	nines.X.Scale, nines.Time = charts.Nines, false
	bars := func(scale charts.Scale) *charts.Chart {
		c := chart(scale, line(2, 3, nan, 4))
		for i, ends := range [][2]float64{{1, 9}, {0, 5}, {nan, nan}, {nan, 8}} {
			c.Lines[0].XY[i].Low, c.Lines[0].XY[i].High = ends[0], ends[1]
		}
		return c
	}
	dense := line()
	for i := range charts.MaxPoints {
		dense.XY = append(dense.XY, charts.XY{X: float64(i), Y: float64(i % 2), Low: nan, High: nan})
	}
	return map[string]*charts.Chart{
		"dense": chart(charts.Linear, dense), // a minute, when drawn in one stroke
		"bars":  bars(charts.Linear), "bars down to zero on a log scale": bars(charts.Log),
		"plain": chart(charts.Linear, line(1, 5, 3)), "log": chart(charts.Log, line(0.001, 5, 3000)),
		"one value": chart(charts.Log, line(7)), "all the same": chart(charts.Linear, line(7, 7, 7)), "zero": chart(charts.Linear, line(0, 0)),
		"zero on a log scale": chart(charts.Log, line(0, 0, 1)), "only zero on a log scale": chart(charts.Log, line(0, 0)),
		"gaps": chart(charts.Linear, line(1, nan, 3, nan)), "only gaps": chart(charts.Log, line(nan, nan)), "infinite": chart(charts.Linear, line(1, inf, 2)),
		"tiny": chart(charts.Linear, line(1e-12, 2e-12)), "huge": chart(charts.Log, line(1, 1e18)),
		"many lines": many, "heat": heat, "nines": nines, "no line": chart(charts.Linear),
	}
}

func TestPNG(t *testing.T) {
	for name, c := range odd() {
		var b bytes.Buffer
		if err := PNG(&b, c); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		img, err := png.Decode(&b)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if size := img.Bounds().Size(); size.X != 1600 || size.Y != 960 {
			t.Errorf("%s: %v pixels", name, size)
		}
		dark := 0
		for x := 0; x < 1600; x += 2 {
			for y := 0; y < 960; y += 2 {
				if r, g, b, _ := img.At(x, y).RGBA(); r+g+b < 3*0x8000 {
					dark++
				}
			}
		}
		if dark < 125 {
			t.Errorf("%s: only %d dark pixels", name, dark)
		}
	}
}

func TestSVGIsWellFormed(t *testing.T) {
	for name, c := range odd() {
		var b bytes.Buffer
		if err := SVG(&b, c); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if text := b.String(); strings.Contains(text, "NaN") || strings.Contains(text, "Inf") || !strings.Contains(text, "latency (ms)") {
			t.Errorf("%s: a coordinate that is none, or no label, in\n%.2000s", name, text)
		}
		for d := xml.NewDecoder(&b); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Errorf("%s: %v", name, err)
				break
			}
		}
	}
}

func TestTicks(t *testing.T) {
	labels := func(ticks []plot.Tick) string {
		var list []string
		for _, tick := range ticks {
			if tick.Label != "" {
				list = append(list, tick.Label)
			}
		}
		return strings.Join(list, " ")
	}
	for _, c := range []struct {
		ticker    plot.Ticker
		low, high float64
		want      string
	}{
		{evenTicks{}, 0, 5200, "0 1,000 2,000 3,000 4,000 5,000"},
		{evenTicks{}, 0, 1, "0 0.2 0.4 0.6 0.8 1"},
		{evenTicks{}, 0, 0.00012, "0 0.00002 0.00004 0.00006 0.00008 0.0001 0.00012"},
		{evenTicks{}, 0, 1234567, "0 200,000 400,000 600,000 800,000 1,000,000 1,200,000"},
		{logTicks{}, 0.9, 12, "1 2 5 10"},
		{logTicks{}, 0.001, 100000, "0.001 0.01 0.1 1 10 100 1,000 10,000 100,000"},
		{logTicks{}, 10, 12, "10 10.5 11 11.5 12"},
		{nineTicks{}, 0, 5, "0 % 50 % 90 % 99 % 99.9 % 99.99 % 99.999 %"},
	} {
		if got := labels(c.ticker.Ticks(c.low, c.high)); got != c.want {
			t.Errorf("%T from %g to %g: %q, want %q", c.ticker, c.low, c.high, got, c.want)
		}
	}
}

// Package charts turns a result into pictures before they are drawn: lines,
// axes and marks as plain numbers, the same for a file of an image and for a
// page. Nothing is drawn where there is no data: what is unknown is a gap, and
// a chart without a line is left out.
package charts

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/kvscen/kvscen/internal/result"
)

// Chart is one picture.
type Chart struct {
	Name   string  `json:"name"`   // of its file, without an ending and fit for one
	Phase  string  `json:"phase"`  //
	Title  string  `json:"title"`  //
	Column string  `json:"column"` // the column of run.json that it shows
	Time   bool    `json:"time"`   // X is seconds since the phase began: charts of a phase share it
	X      Axis    `json:"x"`
	Y      Axis    `json:"y"`
	Lines  []Line  `json:"lines,omitempty"`
	Heat   *Heat   `json:"heat,omitempty"`   // in place of lines
	Events []Event `json:"events,omitempty"` // where X is time
}

// Axis is one axis: its label holds the unit.
type Axis struct {
	Label string `json:"label"`
	Scale Scale  `json:"scale"`
}

// Scale is how an axis is divided.
type Scale string

// The scales. Nines is for percentiles: each division is a nine more, X is
// -log10(1 - share).
const (
	Linear Scale = "linear"
	Log    Scale = "log"
	Nines  Scale = "nines"
)

// Line is one line. Its color is that of its cluster in every chart.
type Line struct {
	Label  string `json:"label"`
	Color  int    `json:"color"` // index of the cluster
	Dash   int    `json:"dash"`  // tells lines of one cluster apart; 0: solid
	Points bool   `json:"marks"` // its points are few, and marked
	XY     []XY   `json:"xy"`    // X rises, but for throughput against latency
}

// XY is a point; Y is NaN in a gap. Low and High are the ends of an error bar,
// or NaN.
type XY struct{ X, Y, Low, High float64 }

// MarshalJSON gives [x, y], or [x, y, low, high] with an error bar; a gap is null.
func (p XY) MarshalJSON() ([]byte, error) { return p.appendJSON(nil), nil }

func (p XY) appendJSON(b []byte) []byte {
	values := [...]float64{p.X, p.Y, p.Low, p.High}
	n := len(values)
	if math.IsNaN(p.Low) || math.IsNaN(p.High) {
		n = 2
	}
	b = append(b, '[')
	for i, v := range values[:n] {
		if i > 0 {
			b = append(b, ',')
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			b = append(b, "null"...)
			continue
		}
		b = strconv.AppendFloat(b, v, 'g', 6, 64)
	}
	return append(b, ']')
}

// points are marshalled all at once: one by one they take most of the time that a
// page takes.
type points []XY

// MarshalJSON gives an array of points.
func (list points) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, p := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = p.appendJSON(b)
	}
	return append(b, ']'), nil
}

// MarshalJSON gives the fields of the line.
func (l Line) MarshalJSON() ([]byte, error) {
	type plain Line
	return json.Marshal(struct {
		plain
		XY points `json:"xy"` // in place of the line's
	}{plain(l), l.XY})
}

// Event is something that happened at a time.
type Event struct {
	At    float64 `json:"at"` // seconds since the phase began
	Color int     `json:"color"`
	Text  string  `json:"text"`
}

// Heat is how often each latency occurred at each time: columns of Step seconds
// from Start on, bins of a quarter of an octave.
type Heat struct {
	Start  float64  `json:"start"`
	Step   float64  `json:"step"`
	Low    int      `json:"low"`    // index of the lowest bin: latencies from 2^(index/4) ns on
	Counts [][]uint `json:"counts"` // [column][bin - Low]
}

// Of gives the charts of a run, phase by phase.
func Of(r *result.Run) ([]Chart, error) {
	var all []Chart
	for _, name := range r.PhaseNames() {
		p := newPhase(r, name)
		made, err := p.charts()
		if err != nil {
			return nil, err
		}
		for _, c := range made {
			if c.drawable() {
				c.Name, c.Phase = result.FileSafe(name+"-"+c.Name), name
				all = append(all, c)
			}
		}
	}
	return all, nil
}

// drawable is true of a chart that has something to show. Lines without a point
// are taken out.
func (c *Chart) drawable() bool {
	kept := c.Lines[:0]
	for _, l := range c.Lines {
		for _, p := range l.XY {
			if !math.IsNaN(p.Y) {
				kept = append(kept, l)
				break
			}
		}
	}
	c.Lines = kept
	return len(c.Lines) > 0 || c.Heat != nil && len(c.Heat.Counts) > 0
}

func point(x, y float64) XY { return XY{X: x, Y: y, Low: math.NaN(), High: math.NaN()} }

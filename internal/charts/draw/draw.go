// Package draw draws charts as SVG and PNG.
package draw

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/kvscen/kvscen/internal/charts"
)

// The size of a picture. At 96 dots an inch 600 points are 800 pixels.
const (
	width  = 600 * vg.Length(1)
	height = 360 * vg.Length(1)
	margin = 10 * vg.Length(1)
)

// SVG writes a chart as SVG of 800 pixels. Its font is named, not in it: fifty
// copies would be most of a folder.
func SVG(w io.Writer, c *charts.Chart) error {
	canvas := vgsvg.NewWith(vgsvg.UseWH(width, height))
	if err := picture(draw.New(canvas), c); err != nil {
		return err
	}
	if _, err := canvas.WriteTo(w); err != nil {
		return fmt.Errorf("writing chart %s: %w", c.Name, err)
	}
	return nil
}

// PNG writes a chart as PNG of 1600 by 960 pixels: sharp on dense screens.
func PNG(w io.Writer, c *charts.Chart) error {
	canvas := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(192))
	if err := picture(draw.New(canvas), c); err != nil {
		return err
	}
	if _, err := (vgimg.PngCanvas{Canvas: canvas}).WriteTo(w); err != nil {
		return fmt.Errorf("writing chart %s: %w", c.Name, err)
	}
	return nil
}

// picture draws title, legend and plot below each other: a legend over the lines
// would hide some of them.
func picture(canvas draw.Canvas, c *charts.Chart) error {
	canvas.SetColor(color.White)
	canvas.Fill(canvas.Rectangle.Path())
	area := draw.Crop(canvas, margin, -margin, margin, -margin)
	p := plot.New()
	p.BackgroundColor = nil
	used := head(area, c.Title+" ("+c.Phase+")", entries(c))
	scaleAxis(&p.X, c.X)
	scaleAxis(&p.Y, c.Y)
	if err := fill(p, c); err != nil {
		return fmt.Errorf("drawing chart %s: %w", c.Name, err)
	}
	p.Draw(draw.Crop(area, 0, 0, 0, -used))
	return nil
}

// fill adds what the chart shows and sets the ranges of its axes.
func fill(p *plot.Plot, c *charts.Chart) error {
	x, y := ranges(c)
	p.X.Min, p.X.Max = x.low, x.high
	p.Y.Min, p.Y.Max = y.low, y.high
	p.Add(grid())
	for _, e := range c.Events {
		p.Add(eventMark(e))
	}
	if c.Heat != nil {
		p.Add(heatmap{c.Heat})
	}
	for _, l := range c.Lines {
		p.Add(errorBars{c, l})
	}
	for _, l := range c.Lines {
		if err := addLine(p, c, l); err != nil {
			return err
		}
	}
	// Adding a plotter widens the ranges to its own, which may leave log scales.
	p.X.Min, p.X.Max = x.low, x.high
	p.Y.Min, p.Y.Max = y.low, y.high
	return nil
}

// span is the range of an axis.
type span struct{ low, high float64 }

func empty() span { return span{math.Inf(1), math.Inf(-1)} }

func (s *span) add(v float64) {
	if !math.IsNaN(v) && !math.IsInf(v, 0) {
		s.low, s.high = min(s.low, v), max(s.high, v)
	}
}

// ranges are those of the data: linear ones begin at zero, so that heights can be
// compared; others leave a little room.
func ranges(c *charts.Chart) (x, y span) {
	x, y = empty(), empty()
	for _, l := range c.Lines {
		for _, p := range l.XY {
			if !drawn(c, p) {
				continue
			}
			x.add(p.X)
			y.add(p.Y)
			if c.Y.Scale != charts.Log || p.Low > 0 {
				y.add(p.Low)
			}
			y.add(p.High)
		}
	}
	if h := c.Heat; h != nil {
		x.add(h.Start)
		x.add(h.Start + h.Step*float64(len(h.Counts)))
		y.add(latencyOf(h.Low))
		y.add(latencyOf(h.Low + len(h.Counts[0])))
	}
	if c.Time {
		return span{0, max(x.high, 1)}, fit(y, c.Y.Scale, true)
	}
	return fit(x, c.X.Scale, false), fit(y, c.Y.Scale, true)
}

// fit makes a range one that the scale can show.
func fit(s span, scale charts.Scale, fromZero bool) span {
	if s.low > s.high {
		s = span{0, 1}
	}
	switch {
	case scale == charts.Log:
		if s.low <= 0 {
			s.low = min(1e-6, s.high/10)
		}
		if s.high <= s.low {
			return span{s.low / 2, s.low * 2}
		}
		room := math.Pow(s.high/s.low, 0.03)
		return span{s.low / room, s.high * room}
	case scale == charts.Nines:
		return span{0, max(s.high, 1)}
	case fromZero:
		return span{min(0, s.low), max(s.high*1.05, 1e-9)}
	}
	room := max((s.high-s.low)*0.05, 1e-9)
	return span{max(0, s.low-room), s.high + room}
}

// drawn is false of a gap, and of what a log scale can't show.
func drawn(c *charts.Chart, p charts.XY) bool {
	if math.IsNaN(p.X-p.X) || math.IsNaN(p.Y-p.Y) { // NaN or infinite
		return false
	}
	return (c.Y.Scale != charts.Log || p.Y > 0) && (c.X.Scale != charts.Log || p.X > 0)
}

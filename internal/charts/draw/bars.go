package draw

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/kvscen/kvscen/internal/charts"
)

// errorBars are upright strokes from the low to the high end of each point, faint
// enough that the lines over them can be seen.
type errorBars struct {
	chart *charts.Chart
	line  charts.Line
}

const capWidth = vg.Length(2) // half of it

func (b errorBars) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	full := palette(b.line.Color)
	style := draw.LineStyle{Color: color.NRGBA{full.R, full.G, full.B, 0x70}, Width: 0.7}
	for _, xy := range b.line.XY {
		if !drawn(b.chart, xy) || math.IsNaN(xy.Low) || math.IsNaN(xy.High) {
			continue
		}
		x, low, high := toX(xy.X), toY(max(xy.Low, p.Y.Min)), toY(xy.High)
		c.StrokeLine2(style, x, low, x, high)
		for _, y := range []vg.Length{low, high} {
			c.StrokeLine2(style, x-capWidth, y, x+capWidth, y)
		}
	}
}

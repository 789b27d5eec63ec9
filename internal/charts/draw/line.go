package draw

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/kvscen/kvscen/internal/charts"
)

// palette is that of Okabe and Ito (2008), which those with any form of colour
// blindness can tell apart; yellow, too faint on white, is left out.
func palette(i int) color.RGBA {
	colors := []color.RGBA{
		{0x00, 0x72, 0xb2, 0xff}, // blue
		{0xd5, 0x5e, 0x00, 0xff}, // vermilion
		{0x00, 0x9e, 0x73, 0xff}, // bluish green
		{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
		{0xe6, 0x9f, 0x00, 0xff}, // orange
		{0x56, 0xb4, 0xe9, 0xff}, // sky blue
		{0x40, 0x40, 0x40, 0xff}, // grey
	}
	return colors[i%len(colors)]
}

// dashes tell lines of one colour apart: runs of a cluster, and clusters once
// the colours are used up.
func dashes(l charts.Line) []vg.Length {
	kinds := [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 3, 2, 3}}
	return kinds[(l.Dash+l.Color/7)%len(kinds)]
}

func lineStyle(l charts.Line) draw.LineStyle {
	return draw.LineStyle{Color: palette(l.Color), Width: 1.3, Dashes: dashes(l)}
}

// stroke is how many points are drawn at once. The time that an image takes grows
// with the square of what crosses one of its rows in one stroke: a line of 1,500
// points that goes up and down took over a minute.
const stroke = 40

// addLine draws a line piece by piece: nothing is drawn over a gap.
func addLine(p *plot.Plot, c *charts.Chart, l charts.Line) error {
	var piece plotter.XYs
	flush := func() error {
		if len(piece) == 0 {
			return nil
		}
		for from := 0; from == 0 || from < len(piece)-1; from += stroke {
			line, err := plotter.NewLine(piece[from:min(from+stroke+1, len(piece))])
			if err != nil {
				return err
			}
			line.LineStyle = lineStyle(l)
			p.Add(line)
		}
		if l.Points || len(piece) == 1 { // a line of one point can't be seen
			points, err := plotter.NewScatter(piece)
			if err != nil {
				return err
			}
			points.GlyphStyle = draw.GlyphStyle{Color: palette(l.Color), Radius: 2.2, Shape: draw.CircleGlyph{}}
			p.Add(points)
		}
		piece = nil
		return nil
	}
	for _, xy := range l.XY {
		if !drawn(c, xy) {
			if err := flush(); err != nil {
				return err
			}
			continue
		}
		piece = append(piece, plotter.XY{X: xy.X, Y: xy.Y})
	}
	return flush()
}

func grid() *plotter.Grid {
	g := plotter.NewGrid()
	faint := draw.LineStyle{Color: color.Gray{0xe4}, Width: 0.5}
	g.Horizontal, g.Vertical = faint, faint
	return g
}

// eventMark is a line from top to bottom at the time of an event.
type eventMark charts.Event

func (e eventMark) Plot(c draw.Canvas, p *plot.Plot) {
	toX, _ := p.Transforms(&c)
	x := toX(e.At)
	if x < c.Min.X || x > c.Max.X {
		return
	}
	style := draw.LineStyle{Color: palette(e.Color), Width: 0.6, Dashes: []vg.Length{1, 2}}
	c.StrokeLine2(style, x, c.Min.Y, x, c.Max.Y)
}

package draw

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/kvscen/kvscen/internal/charts"
)

// heatmap draws a cell for each bin of each column, the darker the more requests
// it has, on a log scale: rare slow ones are what is looked for.
type heatmap struct{ *charts.Heat }

func (h heatmap) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	most := 0.0
	for _, column := range h.Counts {
		for _, n := range column {
			most = max(most, float64(n))
		}
	}
	for i, column := range h.Counts {
		left, right := toX(h.Start+h.Step*float64(i)), toX(h.Start+h.Step*float64(i+1))
		for j, n := range column {
			if n == 0 {
				continue
			}
			bottom, top := toY(latencyOf(h.Low+j)), toY(latencyOf(h.Low+j+1))
			c.SetColor(shade(math.Log1p(float64(n)) / math.Log1p(most)))
			c.Fill(vg.Rectangle{Min: vg.Point{X: left, Y: bottom}, Max: vg.Point{X: right, Y: top}}.Path())
		}
	}
}

// latencyOf is the lower end of a bin in milliseconds: 2^(bin/4) ns.
func latencyOf(bin int) float64 { return math.Exp2(float64(bin)/4) / 1e6 }

// shade goes from a light to a dark blue; its lightness falls evenly.
func shade(share float64) color.Color {
	light, dark := [3]float64{0xd6, 0xe8, 0xf7}, [3]float64{0x08, 0x26, 0x4f}
	var mixed [3]uint8
	for i := range mixed {
		mixed[i] = uint8(light[i] + share*(dark[i]-light[i]))
	}
	return color.RGBA{mixed[0], mixed[1], mixed[2], 0xff}
}

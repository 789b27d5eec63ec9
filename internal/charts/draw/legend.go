package draw

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/kvscen/kvscen/internal/charts"
)

const (
	titleSize  = vg.Length(12)
	sample     = vg.Length(22) // length of a line's sample in the legend
	gap        = vg.Length(14)
	rowHeight  = vg.Length(13)
	maxEntries = 24
)

// entry is a line of the legend.
type entry struct {
	label string
	style draw.LineStyle
}

// entries are the lines by label, then what else is drawn.
func entries(c *charts.Chart) []entry {
	var list []entry
	for i, l := range c.Lines {
		if i == maxEntries {
			list = append(list, entry{label: "and more"})
			break
		}
		list = append(list, entry{l.Label, lineStyle(l)})
	}
	if c.Heat != nil {
		list = append(list, entry{"the darker, the more requests (log scale)", draw.LineStyle{Color: shade(0.8), Width: 8}})
	}
	if len(c.Events) > 0 {
		list = append(list, entry{"events", draw.LineStyle{Color: color.Gray{0x60}, Width: 0.8, Dashes: []vg.Length{1, 2}}})
	}
	return list
}

// sans is easier to read at small sizes than the library's own choice.
func sans() font.Font { return font.Font{Typeface: plot.DefaultFont.Typeface, Variant: "Sans"} }

func textStyle(size vg.Length) text.Style {
	return text.Style{
		Color: color.Gray{0x20}, Font: font.From(sans(), size),
		YAlign: draw.YCenter, Handler: plot.DefaultTextHandler,
	}
}

// head writes the title and the legend at the top of an area and returns the
// height that they take.
func head(area draw.Canvas, title string, list []entry) vg.Length {
	y := area.Max.Y - titleSize/2
	area.FillText(textStyle(titleSize), vg.Point{X: area.Min.X, Y: y}, title)
	y -= titleSize/2 + rowHeight/2 + 3
	style := textStyle(tickSize)
	x := area.Min.X
	for _, e := range list {
		needs := sample + 4 + style.Width(e.label) + gap
		if x+needs > area.Max.X && x > area.Min.X {
			x, y = area.Min.X, y-rowHeight
		}
		if e.style.Width > 0 {
			area.StrokeLine2(e.style, x, y, x+sample, y)
		}
		area.FillText(style, vg.Point{X: x + sample + 4, Y: y}, e.label)
		x += needs
	}
	return area.Max.Y - y + rowHeight/2 + 4
}

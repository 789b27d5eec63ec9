package report

import (
	"fmt"
	"io"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// grid is a table of cells that are text already, with ASCII borders.
type grid struct {
	head  []string
	rows  [][]string
	left  int    // columns from the left that are words; the others are figures
	words []bool // or: for each column, whether it is words
}

// write draws the table. The first row of figures decides nothing: each column
// is as wide as its widest cell, and no cell is wrapped, so that a line of the
// table is a line of the text.
func (g *grid) write(w io.Writer) error {
	align := make([]tw.Align, len(g.head))
	for i := range align {
		align[i] = tw.AlignRight
		if g.isWords(i) {
			align[i] = tw.AlignLeft
		}
	}
	cells := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoWrap: tw.WrapNone, AutoFormat: tw.Off},
		Alignment:  tw.CellAlignment{PerColumn: align},
	}
	table := tablewriter.NewTable(w,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{Symbols: tw.NewSymbols(tw.StyleASCII)})),
		tablewriter.WithEastAsian(tw.Off), // else widths follow the reader's locale
		tablewriter.WithConfig(tablewriter.Config{Header: cells, Row: cells}),
	)
	table.Header(g.head)
	for _, row := range g.rows {
		if err := table.Append(row); err != nil {
			return fmt.Errorf("drawing a table: %w", err)
		}
	}
	if err := table.Render(); err != nil {
		return fmt.Errorf("drawing a table: %w", err)
	}
	return nil
}

// isWords is true of a column that is aligned to the left.
func (g *grid) isWords(column int) bool {
	return column < g.left || column < len(g.words) && g.words[column]
}

package builtins

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/result"
)

// Table is what a report returns.
type Table struct {
	object
	made result.Table
}

func tableBuiltin() builtin {
	return builtin{
		signature: "table(columns, rows, title=None)",
		doc: `A table of a report. A column is a text, or (text, unit): durations are then given in "us", "ms", "s" ..., ` +
			`numbers of bytes in "MB", "MiB", "MB/s" ...; any other unit is shown as it stands. A row has a number, duration, text, figure of the result or None for each column.`,
		make: makeTable,
	}
}

// maxRows bounds a table: it is read by people, and kept in the result.
const maxRows = 10_000

func makeTable(c *call) (starlark.Value, error) {
	t := &Table{}
	t.made.Title = c.str("title", "")
	t.made.Columns = c.columns("columns")
	rows := c.list("rows")
	if len(rows) > maxRows {
		c.fail("rows", "%d are more than a table takes, %d", len(rows), maxRows)
	}
	if c.err != nil {
		return nil, nil
	}
	t.made.Rows = make([][]result.Cell, len(rows))
	for i := range rows {
		t.made.Rows[i] = make([]result.Cell, len(t.made.Columns))
	}
	for col := range t.made.Columns {
		c.fill(&t.made, col, c.column(rows, col, len(t.made.Columns)))
	}
	t.object = c.object()
	return t, nil
}

// columns reads texts and (text, unit) pairs.
func (c *call) columns(name string) []result.Column {
	list := c.list(name)
	if len(list) == 0 {
		c.fail(name, "want at least one column")
	}
	columns := make([]result.Column, len(list))
	for i, v := range list {
		parts, isPair := elements(v)
		if !isPair {
			parts = []starlark.Value{v}
		}
		var texts []string
		for _, p := range parts {
			if s, ok := p.(starlark.String); ok {
				texts = append(texts, string(s))
			}
		}
		switch {
		case len(texts) != len(parts) || len(texts) < 1 || len(texts) > 2:
			c.fail(name, "element %d: want a text, or a pair (text, unit), got %s", i, describe(v))
		case len(texts) == 2:
			columns[i].Unit = texts[1]
			fallthrough
		default:
			columns[i].Name = texts[0]
		}
	}
	return columns
}

// column gathers the cells of a column, and refuses rows of another length.
func (c *call) column(rows []starlark.Value, col, width int) []starlark.Value {
	cells := make([]starlark.Value, len(rows))
	for i, row := range rows {
		elems, ok := elements(row)
		switch {
		case !ok:
			c.fail("rows", "row %d: want a list of cells, got %s", i+1, describe(row))
			return nil
		case len(elems) != width:
			c.fail("rows", "row %d has %s, the table %s", i+1, countOf(len(elems), "cell"), countOf(width, "column"))
			return nil
		}
		cells[i] = elems[col]
	}
	return cells
}

// fill formats a column of the table.
func (c *call) fill(t *result.Table, col int, cells []starlark.Value) {
	f := columnFormat{unit: t.Columns[col].Unit}
	figures := make([]*result.Number, len(cells))
	for i, v := range cells {
		var err error
		if figures[i], err = f.take(v); err != nil {
			c.fail("rows", "row %d, column %q: %v", i+1, t.Columns[col].Name, err)
			return
		}
	}
	f.settle()
	t.Columns[col].Unit, t.Columns[col].Words = f.unit, f.words()
	for i, v := range cells {
		t.Rows[i][col] = f.cell(v, figures[i])
	}
}

func countOf(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// Attr reads a field.
func (t *Table) Attr(name string) (starlark.Value, error) { return t.attr(t, name) }

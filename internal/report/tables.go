package report

import (
	"fmt"
	"strings"

	"github.com/kvscen/kvscen/internal/result"
)

// ownTables writes what the reports of the scenario made of the result.
func ownTables(to page, reports []result.Report) error {
	for i := range reports {
		r := &reports[i]
		if r.Failed() {
			to.failedReport(r)
			continue
		}
		to.section("Report " + clean(r.Name))
		for _, p := range r.Parts {
			if p.Table == nil {
				for line := range strings.Lines(p.Text) {
					to.prose(cleanWhole(line))
				}
				continue
			}
			if err := ownTable(to, p.Table); err != nil {
				return fmt.Errorf("reporting %s: %w", clean(r.Name), err)
			}
		}
	}
	return nil
}

// ownTable draws a table; what is not known is explained below it.
func ownTable(to page, t *result.Table) error {
	if t.Title != "" {
		to.caption(clean(t.Title))
	}
	g := grid{words: make([]bool, len(t.Columns))}
	for i, c := range t.Columns {
		head := clean(c.Name)
		if c.Unit != "" {
			head += " (" + clean(c.Unit) + ")"
		}
		g.head, g.words[i] = append(g.head, head), c.Words
	}
	n := &notes{}
	for _, row := range t.Rows {
		line := make([]string, len(row))
		for i, c := range row {
			line[i] = clean(c.Text)
			if c.Value != nil && !c.Value.OK() {
				line[i] = n.cell(*c.Value, nil)
			}
		}
		g.rows = append(g.rows, line)
	}
	return to.table(&g, n)
}

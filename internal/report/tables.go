package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/kvscen/kvscen/internal/result"
)

// ownTables writes what the reports of the scenario made of the result.
func ownTables(w io.Writer, reports []result.Report) error {
	for i := range reports {
		r := &reports[i]
		if r.Failed() {
			failedReport(w, r)
			continue
		}
		fmt.Fprintf(w, "\nReport %s\n", clean(r.Name))
		for j, p := range r.Parts {
			if p.Table != nil && j > 0 && r.Parts[j-1].Table != nil {
				fmt.Fprintln(w)
			}
			if p.Table == nil {
				for line := range strings.Lines(p.Text) {
					paragraph(w, "", 0, cleanWhole(line))
				}
				continue
			}
			if err := ownTable(w, p.Table); err != nil {
				return fmt.Errorf("reporting %s: %w", clean(r.Name), err)
			}
		}
	}
	return nil
}

// failedReport says where a report is in the scenario, and why it gave nothing.
func failedReport(w io.Writer, r *result.Report) {
	fmt.Fprintf(w, "\nReport %s FAILED (%s)\n", clean(r.Name), clean(r.Where))
	if r.Line != "" {
		fmt.Fprintf(w, "          | %s\n", clean(r.Line))
	}
	reason(w, r.Error)
}

// ownTable draws a table; what is not known is explained below it.
func ownTable(w io.Writer, t *result.Table) error {
	if t.Title != "" {
		fmt.Fprintln(w, clean(t.Title))
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
	if err := g.write(w); err != nil {
		return err
	}
	n.write(w)
	return nil
}

package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/kvscen/kvscen/internal/result"
)

// failures lists the failed requests by class, with the text of the first one.
func failures(w io.Writer, columns []*column) {
	fmt.Fprintln(w, "\nErrors")
	any := false
	for _, c := range columns {
		for _, e := range errorClasses(c.phases) {
			any = true
			paragraph(w, fmt.Sprintf("  %s: %s %s:", shorten(c.label, 24), whole(float64(e.Count)), shorten(e.Class, 24)), 6, clean(e.Sample))
		}
	}
	if !any {
		fmt.Fprintln(w, "  none")
	}
}

// errorClasses sums the errors of all steps and repetitions, the most frequent
// class first.
func errorClasses(phases []*result.Phase) []result.ErrorClass {
	var all []result.ErrorClass
	for _, p := range phases {
		for i := range p.Steps {
			for _, e := range p.Steps[i].Errors {
				at := slices.IndexFunc(all, func(a result.ErrorClass) bool { return a.Class == e.Class })
				if at < 0 {
					all = append(all, e)
					continue
				}
				all[at].Count += e.Count
			}
		}
	}
	slices.SortFunc(all, func(a, b result.ErrorClass) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Class, b.Class))
	})
	return all
}

// doubts lists the marks of trust.
func doubts(w io.Writer, columns []*column) {
	any := false
	for _, c := range columns {
		for i, p := range c.phases {
			for _, m := range p.Marks {
				if !any {
					fmt.Fprintln(w, "\nMarks of trust")
				}
				any = true
				paragraph(w, "  "+markPlace(c, i, m)+":", 6, clean(m.Text))
			}
		}
	}
}

func markPlace(c *column, run int, m result.Mark) string {
	place := c.place(run)
	if m.Step >= 0 {
		place += fmt.Sprintf(", step %d", m.Step+1)
	}
	kind := shorten(m.Kind, 24)
	if m.Bad {
		kind += " (bad)"
	}
	return place + ": " + kind
}

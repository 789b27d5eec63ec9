package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/kvscen/kvscen/internal/result"
)

// failures lists the failed requests by class, with the text of the first one.
func failures(to page, columns []*column) {
	to.section(titleErrors)
	any := false
	for _, c := range columns {
		for _, e := range errorClasses(c.phases) {
			any = true
			to.item(fmt.Sprintf("%s: %s %s", shorten(c.label, 24), whole(float64(e.Count)), shorten(e.Class, 24)), clean(e.Sample))
		}
	}
	if !any {
		to.item("none", "")
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
func doubts(to page, columns []*column) {
	any := false
	for _, c := range columns {
		for i, p := range c.phases {
			for _, m := range p.Marks {
				if !any {
					to.section(titleMarks)
				}
				any = true
				to.item(markPlace(c, i, m), clean(m.Text))
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

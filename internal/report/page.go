package report

import "github.com/kvscen/kvscen/internal/result"

// Titles of sections that a page may put elsewhere. The first three say how to
// take the figures of a phase.
const (
	titleBecame = "What one operation became"
	titleErrors = "Errors"
	titleMarks  = "Marks of trust"
	titleClocks = "Clocks of other machines"
)

// page is what a report is written on: a terminal, Markdown or HTML. The report
// decides what is said and in which order, a page how that looks. Texts are clean
// already, but for those of verdicts and failed reports.
type page interface {
	heading(title string, facts []fact) // what was run, on what, and when
	phase(name, title string)           // a phase begins; name as in the result
	section(title string)               // a part of a phase, or of the run
	table(g *grid, n *notes) error      // n may be nil
	line(label, text string)            // a sentence on what stands above it; label may be empty
	item(label, text string)            // one of a list; text may be empty
	remark(label, text string)          // a sentence of its own
	verdict(v *result.Verdict)
	failedReport(r *result.Report)
	caption(text string) // of the next table
	prose(text string)   // a line of text
	status(text string, ok bool)
}

// fact is a line of the heading.
type fact struct {
	name, text string
	label      bool // name is that of a cluster
}

package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/kvscen/kvscen/internal/result"
)

// terminal is a page of plain text, at most as wide as its tables.
type terminal struct {
	w io.Writer
	// afterTable is true while nothing stands below the last table.
	afterTable bool
}

// headingIndent is the column at which the texts of the heading begin at least.
const headingIndent = 13

func (t *terminal) heading(title string, facts []fact) {
	fmt.Fprintln(t.w, title)
	indent := headingIndent
	for _, f := range facts {
		if f.label {
			indent = max(indent, len(f.name)+3)
		}
	}
	for _, f := range facts {
		paragraph(t.w, "  "+f.name, indent, f.text)
	}
}

func (t *terminal) phase(_, title string) { t.section(title) }

func (t *terminal) section(title string) {
	t.afterTable = false
	fmt.Fprintf(t.w, "\n%s\n", title)
}

func (t *terminal) table(g *grid, n *notes) error {
	t.apart()
	t.afterTable = true
	if err := g.write(t.w); err != nil {
		return err
	}
	for i, reason := range n.list() {
		fmt.Fprintf(t.w, "[%d] %s\n", i+1, reason)
	}
	return nil
}

// apart puts an empty line between two tables.
func (t *terminal) apart() {
	if t.afterTable {
		fmt.Fprintln(t.w)
	}
	t.afterTable = false
}

func (t *terminal) line(label, text string) {
	if label == "" {
		fmt.Fprintln(t.w, text)
		return
	}
	paragraph(t.w, label, 2, text)
}

func (t *terminal) item(label, text string) {
	if text == "" {
		fmt.Fprintln(t.w, "  "+label)
		return
	}
	paragraph(t.w, "  "+label+":", 6, text)
}

func (t *terminal) remark(label, text string) {
	fmt.Fprintln(t.w)
	paragraph(t.w, label, 2, text)
}

func (t *terminal) caption(text string) {
	t.apart()
	fmt.Fprintln(t.w, text)
}

func (t *terminal) prose(text string) {
	t.afterTable = false
	paragraph(t.w, "", 0, text)
}

func (t *terminal) status(text string, _ bool) {
	fmt.Fprintln(t.w)
	paragraph(t.w, "Status", 7, text)
}

func (t *terminal) verdict(v *result.Verdict) {
	fmt.Fprintf(t.w, "  %-7s %s %s (%s)\n", strings.ToUpper(clean(v.Status)), clean(v.Kind), clean(v.Name), clean(v.Where))
	if v.Line != "" && !v.OK() {
		fmt.Fprintf(t.w, "          | %s\n", clean(v.Line))
	}
	for i := range v.Reads {
		text := readText(&v.Reads[i])
		if !v.Reads[i].OK {
			text += "  <--"
		}
		fmt.Fprintf(t.w, "          %s\n", text)
	}
	t.reason(v.Text)
}

// reason writes a message; what follows its first line is of the script, with a
// caret below.
func (t *terminal) reason(text string) {
	first, rest, _ := strings.Cut(text, "\n")
	if first != "" {
		paragraph(t.w, "", 10, clean(first))
	}
	for line := range strings.Lines(rest) {
		fmt.Fprintf(t.w, "          | %s\n", cleanLine(line))
	}
}

// failedReport says where a report is in the scenario, and why it gave nothing.
func (t *terminal) failedReport(r *result.Report) {
	t.section(fmt.Sprintf("Report %s FAILED (%s)", clean(r.Name), clean(r.Where)))
	if r.Line != "" {
		fmt.Fprintf(t.w, "          | %s\n", clean(r.Line))
	}
	t.reason(r.Error)
}

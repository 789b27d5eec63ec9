package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/kvscen/kvscen/internal/result"
)

// Markdown writes the report for a pull request, or for a folder of results in a
// repository. plots are names of image files beside it, by phase; none is fine.
func Markdown(w io.Writer, r *result.Run, plots map[string][]string) error {
	m := &markdown{plots: plots}
	if err := write(m, r); err != nil {
		return err
	}
	m.images()
	if _, err := io.WriteString(w, m.b.String()); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// markdown is a page of GitHub-flavoured Markdown.
type markdown struct {
	b     strings.Builder
	plots map[string][]string
	now   string // phase under way
	list  bool   // the last line is of a list
}

func (m *markdown) heading(title string, facts []fact) {
	fmt.Fprintf(&m.b, "# %s\n\n", escaped(title))
	for _, f := range facts {
		fmt.Fprintf(&m.b, "- **%s**: %s\n", escaped(f.name), escaped(f.text))
	}
}

func (m *markdown) phase(name, title string) {
	m.images()
	m.now = name
	m.block("## " + escaped(title))
}

func (m *markdown) section(title string) { m.block("### " + escaped(title)) }

// block writes something with an empty line above it.
func (m *markdown) block(text string) {
	m.list = false
	fmt.Fprintf(&m.b, "\n%s\n", text)
}

// images shows the plots of the phase that ends.
func (m *markdown) images() {
	for _, file := range m.plots[m.now] {
		m.block(fmt.Sprintf("![%s](%s)", escaped(strings.TrimSuffix(file, ".svg")), strings.ReplaceAll(file, " ", "%20")))
	}
	delete(m.plots, m.now)
}

func (m *markdown) table(g *grid, n *notes) error {
	m.block(markdownTable(g))
	for i, reason := range n.list() {
		m.item(fmt.Sprintf("[%d]", i+1), reason)
	}
	return nil
}

// markdownTable leaves empty rows out: they are for the eye on a terminal.
func markdownTable(g *grid) string {
	var b strings.Builder
	row := func(cells []string) {
		b.WriteString("|")
		for _, c := range cells {
			fmt.Fprintf(&b, " %s |", escaped(c))
		}
		b.WriteString("\n")
	}
	row(g.head)
	b.WriteString("|")
	for i := range g.head {
		if g.isWords(i) {
			b.WriteString(" --- |")
		} else {
			b.WriteString(" ---: |")
		}
	}
	b.WriteString("\n")
	for _, r := range g.rows {
		if strings.Join(r, "") != "" {
			row(r)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (m *markdown) line(label, text string) {
	m.block(strings.TrimSpace(escaped(label) + " " + escaped(text)))
}

func (m *markdown) item(label, text string) {
	if !m.list {
		m.b.WriteString("\n")
	}
	m.list = true
	if text != "" {
		label += ": " + text
	}
	fmt.Fprintf(&m.b, "- %s\n", escaped(label))
}

func (m *markdown) remark(label, text string) { m.line(label, text) }

func (m *markdown) verdict(v *result.Verdict) {
	text := fmt.Sprintf("**%s** %s %s (%s)", strings.ToUpper(escaped(v.Status)), escaped(v.Kind), escaped(v.Name), escaped(v.Where))
	if !m.list {
		m.b.WriteString("\n")
	}
	m.list = true
	fmt.Fprintf(&m.b, "- %s\n", text)
	for i := range v.Reads {
		fmt.Fprintf(&m.b, "  - %s\n", escaped(readText(&v.Reads[i])))
	}
	if v.Text != "" {
		fmt.Fprintf(&m.b, "  - %s\n", escaped(headline(v.Text)))
	}
}

func (m *markdown) failedReport(r *result.Report) {
	m.section(fmt.Sprintf("Report %s FAILED (%s)", clean(r.Name), clean(r.Where)))
	m.item(headline(r.Error), "")
}

func (m *markdown) caption(text string) { m.block("**" + escaped(text) + "**") }

func (m *markdown) prose(text string) { m.block(escaped(text)) }

func (m *markdown) status(text string, _ bool) { m.block("**Status** " + escaped(text)) }

// escaped keeps a text from being taken for Markdown or HTML.
func escaped(text string) string {
	return strings.NewReplacer(
		`\`, `\\`, "|", `\|`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "#", `\#`,
	).Replace(cleanWhole(strings.TrimSpace(text)))
}

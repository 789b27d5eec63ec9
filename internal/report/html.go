package report

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/kvscen/kvscen/internal/charts"
	"github.com/kvscen/kvscen/internal/result"
)

// assets are the page, its style and script, and uPlot 1.6.32 by Leon Sorokin,
// which draws the charts: 50 KB, no dependency, synchronised zoom and cursor.
//
//go:embed assets
var assets embed.FS

// HTML writes the report as one file that needs nothing else: no request leaves
// the page, so that it can be mailed and read without a network.
func HTML(w io.Writer, r *result.Run, sources []result.SourceText) error {
	list, err := charts.Of(r)
	if err != nil {
		return err
	}
	h := &html{doc: document{Name: clean(r.Scenario.Name), Kvscen: clean(r.Kvscen), Sources: sources, Charts: list}}
	if h.doc.Charts == nil {
		h.doc.Charts = []charts.Chart{} // the script reads a list
	}
	if err := write(h, r); err != nil {
		return err
	}
	h.end()
	h.doc.place()
	page, err := template.ParseFS(assets, "assets/report.html")
	if err != nil {
		return fmt.Errorf("reading the page of the report: %w", err)
	}
	if err := h.doc.read(); err != nil {
		return err
	}
	if err := page.Execute(w, &h.doc); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// document is what the page shows, in its order.
type document struct {
	Name, Status, Kvscen string
	Title                string
	Bad                  bool
	Verdicts             template.HTML
	Phases               []htmlPhase
	Rest                 template.HTML // reports of the scenario, events
	Environment          template.HTML
	Sources              []result.SourceText
	Charts               []charts.Chart

	ChartStyle, Style    template.CSS
	ChartLibrary, Script template.JS
}

type htmlPhase struct {
	name   string
	Title  string
	Body   template.HTML // tables
	Charts []htmlChart
	Notes  template.HTML // what became of operations, errors, marks
}

type htmlChart struct {
	Index         int
	Title, Column string
}

// place puts each chart under its phase.
func (d *document) place() {
	for i := range d.Phases {
		p := &d.Phases[i]
		for j, c := range d.Charts {
			if c.Phase == p.name {
				p.Charts = append(p.Charts, htmlChart{Index: j, Title: c.Title, Column: c.Column})
			}
		}
	}
}

// read fills in what is the same in every report.
func (d *document) read() error {
	text := map[string]string{}
	for _, name := range []string{"uPlot.min.css", "report.css", "uPlot.iife.min.js", "report.js"} {
		b, err := assets.ReadFile("assets/" + name)
		if err != nil {
			return fmt.Errorf("reading the page of the report: %w", err)
		}
		text[name] = string(b)
	}
	d.ChartStyle, d.Style = template.CSS(text["uPlot.min.css"]), template.CSS(text["report.css"])
	d.ChartLibrary, d.Script = template.JS(text["uPlot.iife.min.js"]), template.JS(text["report.js"])
	return nil
}

// html is a page of HTML. What stands before the first phase is the environment,
// what comes after the last one is told by its sections.
type html struct {
	doc  document
	b    strings.Builder // the part under way
	part *template.HTML  // where it goes; nil: nowhere yet
	list bool            // a list is open
}

// begin ends the part under way and starts another.
func (h *html) begin(part *template.HTML) {
	h.closeList()
	if h.part != nil {
		*h.part += template.HTML(h.b.String()) // made of escaped texts only
	}
	h.b.Reset()
	h.part = part
}

func (h *html) end() { h.begin(nil) }

func (h *html) closeList() {
	if h.list {
		h.b.WriteString("</ul>\n")
	}
	h.list = false
}

// add writes a format whose texts are escaped.
func (h *html) add(format string, texts ...string) {
	args := make([]any, len(texts))
	for i, t := range texts {
		args[i] = template.HTMLEscapeString(t)
	}
	fmt.Fprintf(&h.b, format, args...)
}

func (h *html) heading(title string, facts []fact) {
	h.doc.Title = title
	h.begin(&h.doc.Environment)
	h.b.WriteString("<table>\n")
	for _, f := range facts {
		h.add("<tr><th class=\"words\">%s</th><td class=\"words\" style=\"white-space:normal\">%s</td></tr>\n", f.name, f.text)
	}
	h.b.WriteString("</table>\n")
}

func (h *html) phase(name, title string) {
	h.end()
	h.doc.Phases = append(h.doc.Phases, htmlPhase{name: name, Title: title})
	h.begin(&h.doc.Phases[len(h.doc.Phases)-1].Body)
}

func (h *html) section(title string) {
	switch {
	case strings.HasPrefix(title, "Verdicts"):
		h.begin(&h.doc.Verdicts)
	case title == titleBecame || title == titleErrors || title == titleMarks:
		h.begin(&h.doc.Phases[len(h.doc.Phases)-1].Notes) // below the charts
	case title == "Events" || title == titleClocks || strings.HasPrefix(title, "Report "):
		h.begin(&h.doc.Rest)
	}
	h.closeList()
	h.add("<h3>%s</h3>\n", title)
}

func (h *html) table(g *grid, n *notes) error {
	h.closeList()
	h.b.WriteString("<div class=\"scroll\"><table>\n<tr>")
	for i, cell := range g.head {
		h.add("<th"+g.class(i)+">%s</th>", cell)
	}
	h.b.WriteString("</tr>\n")
	for _, row := range g.rows {
		h.b.WriteString("<tr>")
		for i, cell := range row {
			h.add("<td"+g.class(i)+">%s</td>", cell)
		}
		h.b.WriteString("</tr>\n")
	}
	h.b.WriteString("</table></div>\n")
	for i, reason := range n.list() {
		h.add(fmt.Sprintf("<p class=\"faint\">[%d] %%s</p>\n", i+1), reason)
	}
	return nil
}

func (g *grid) class(column int) string {
	if g.isWords(column) {
		return ` class="words"`
	}
	return ""
}

func (h *html) line(label, text string) {
	h.closeList()
	h.add("<p>%s %s</p>\n", label, text)
}

func (h *html) item(label, text string) {
	h.openList()
	if text == "" {
		h.add("<li>%s</li>\n", label)
		return
	}
	h.add("<li><strong>%s</strong>: %s</li>\n", label, text)
}

func (h *html) openList() {
	if !h.list {
		h.b.WriteString("<ul>\n")
	}
	h.list = true
}

func (h *html) remark(label, text string) { h.line(label, text) }

func (h *html) verdict(v *result.Verdict) {
	h.openList()
	class := map[string]string{result.Pass: "pass", result.Info: "pass", result.Fail: "fail"}[v.Status]
	if class == "" {
		class = "unknown"
	}
	h.add("<li><strong class=\""+class+"\">%s</strong> %s %s <span class=\"faint\">%s</span>",
		strings.ToUpper(clean(v.Status)), clean(v.Kind), clean(v.Name), clean(v.Where))
	if evidence := strings.TrimSpace(evidence(v)); v.Status != result.Pass || v.Compared != nil {
		h.add("<pre>%s</pre>", evidence)
	} else if len(v.Reads) > 0 {
		h.add(": %s", readText(&v.Reads[0]))
	}
	h.b.WriteString("</li>\n")
}

func (h *html) failedReport(r *result.Report) {
	h.section("Report " + clean(r.Name) + " FAILED (" + clean(r.Where) + ")")
	h.add("<pre>%s</pre>\n", multiline(r.Line+"\n"+r.Error))
}

func (h *html) caption(text string) {
	h.closeList()
	h.add("<h3>%s</h3>\n", text)
}

func (h *html) prose(text string) {
	h.closeList()
	h.add("<p>%s</p>\n", text)
}

func (h *html) status(text string, ok bool) {
	h.end()
	h.doc.Status, h.doc.Bad = "Status "+text, !ok
}

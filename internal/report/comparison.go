package report

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/kvscen/kvscen/internal/compare"
	"github.com/kvscen/kvscen/internal/result"
)

// Comparison writes a comparison for a terminal: a table for each phase, then
// what else differs between the sides, then the conditions that are violated.
func Comparison(w io.Writer, c *compare.Comparison, violated []compare.Violation) error {
	fmt.Fprintf(w, "base: %s\nnew:  %s\n", clean(c.Base), clean(c.New))
	for _, g := range groups(c) {
		fmt.Fprintf(w, "\n%s\n", g.title)
		if err := comparisonGrid(g.lines).write(w); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "\n%s\n", c.Summary())
	fmt.Fprintf(w, "Figures are of runs: n base, n new. The interval is of the difference, at %g %%; p is adjusted over all\n", 100*(1-c.Level))
	fmt.Fprintln(w, "lines; the effect is from -1 (each new run lies below each of base) to 1 (each lies above).")
	for _, text := range c.Warnings {
		paragraph(w, "warning", 2, text)
	}
	for _, v := range violated {
		fmt.Fprintf(w, "violated: %s: %s\n", clean(v.Condition.Text), violation(&v))
	}
	return nil
}

// ComparisonMarkdown writes the same for a pull request.
func ComparisonMarkdown(w io.Writer, c *compare.Comparison, violated []compare.Violation) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### `%s` against `%s`\n\n%s\n", ticks(c.New), ticks(c.Base), escaped(c.Summary()))
	for _, g := range groups(c) {
		fmt.Fprintf(&b, "\n#### %s\n\n", escaped(g.title))
		fmt.Fprintln(&b, markdownTable(comparisonGrid(g.lines)))
	}
	for _, text := range c.Warnings {
		fmt.Fprintf(&b, "\n> **warning**: %s\n", escaped(text))
	}
	for _, v := range violated {
		fmt.Fprintf(&b, "\n- **violated** `%s`: %s\n", ticks(v.Condition.Text), escaped(violation(&v)))
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing a comparison: %w", err)
	}
	return nil
}

// ComparisonJSON writes the same for other programs, one object.
func ComparisonJSON(w io.Writer, c *compare.Comparison, violated []compare.Violation) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	if violated == nil {
		violated = []compare.Violation{}
	}
	err := e.Encode(struct {
		*compare.Comparison
		Violated []compare.Violation `json:"violated"`
	}{c, violated})
	if err != nil {
		return fmt.Errorf("encoding a comparison: %w", err)
	}
	return nil
}

// lineGroup are the lines under one title.
type lineGroup struct {
	title string
	lines []compare.Line
}

func groups(c *compare.Comparison) []lineGroup {
	var list []lineGroup
	for _, l := range c.Lines {
		title := fmt.Sprintf("Phase %s on %s", clean(l.Phase), clean(l.Cluster))
		if l.Step != result.Merged {
			title += fmt.Sprintf(", step %d", l.Step+1)
		}
		if n := len(list); n == 0 || list[n-1].title != title {
			list = append(list, lineGroup{title: title})
		}
		last := &list[len(list)-1]
		last.lines = append(last.lines, l)
	}
	return list
}

func comparisonGrid(lines []compare.Line) *grid {
	g := &grid{head: []string{"METRIC", "BASE", "NEW", "DIFFERENCE", "INTERVAL", "EFFECT", "P", "N", "VERDICT"}, left: 1}
	for i := range lines {
		l := &lines[i]
		row := []string{
			l.Metric, number(l.Unit, l.Base.Center), number(l.Unit, l.New.Center), "", "", "", "",
			fmt.Sprintf("%d, %d", l.Base.N, l.New.N), string(l.Verdict),
		}
		if l.Verdict != compare.NotKnown {
			row[3], row[4] = difference(l), bounds(l)
		}
		if l.Verdict != compare.NotKnown && l.Verdict != compare.Unknown {
			row[5], row[6] = decimals(l.Effect, 2), chance(l.Adjusted)
		}
		if l.Verdict == compare.Unknown {
			row[8] += ": " + l.Reason
		}
		g.rows = append(g.rows, row)
	}
	return g
}

// difference prints what a metric has moved by, in percent of base where there
// is something to take percents of.
func difference(l *compare.Line) string {
	p := l.Percent()
	if math.IsInf(p, 0) || math.IsNaN(p) {
		return signed(l.Delta.Value.V, inUnit(l.Unit, l.Delta.Value.V))
	}
	return signed(p, percent(p))
}

func bounds(l *compare.Line) string {
	d := l.Delta
	if !d.Low.OK() || !d.High.OK() {
		return "n/a"
	}
	base := math.Abs(l.Base.Center.V)
	if base == 0 {
		return fmt.Sprintf("%s to %s", signed(d.Low.V, inUnit(l.Unit, d.Low.V)), signed(d.High.V, inUnit(l.Unit, d.High.V)))
	}
	low, high := 100*d.Low.V/base, 100*d.High.V/base
	return fmt.Sprintf("%s to %s", signed(low, percent(low)), signed(high, percent(high)))
}

// signed puts a plus before what has risen.
func signed(v float64, text string) string {
	if v > 0 {
		return "+" + text
	}
	return text
}

// chance prints a p-value: no more digits than it means something.
func chance(p float64) string {
	if p < 0.0001 {
		return "< 0.0001"
	}
	return decimals(p, 4)
}

func violation(v *compare.Violation) string {
	l := &v.Line
	return fmt.Sprintf("phase %s on %s: %s of %s (%s), p %s",
		clean(l.Phase), clean(l.Cluster), difference(l), l.Metric, bounds(l), chance(l.Adjusted))
}

// ticks is for texts between backticks, which nothing escapes.
func ticks(text string) string { return strings.ReplaceAll(clean(text), "`", "'") }

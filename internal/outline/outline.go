// Package outline prints a plan for a person: what would be started, what
// would be sent, and what it is likely to take.
package outline

import (
	"fmt"
	"io"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/kvscen/kvscen/internal/plan"
)

// Print writes the outline of p. An error is that of w.
func Print(w io.Writer, p *plan.Plan) error {
	o := &outline{}
	o.line(0, "%s: %s", p.Name, p.Title)
	o.line(0, "%s", p.Estimate())
	o.line(0, "hash %s, seed %d%s", p.Hash(), p.Seed, repeats(p))
	for _, param := range p.Params {
		o.line(1, "%s = %s", param.Name, param.Value)
	}
	for _, r := range p.Runs {
		o.line(0, "")
		o.cluster(&r.Cluster)
		for _, g := range r.Groups {
			o.group(p, g)
		}
	}
	o.judgements(p)
	if _, err := io.WriteString(w, o.text.String()); err != nil {
		return fmt.Errorf("printing the plan: %w", err)
	}
	return nil
}

// outline gathers lines.
type outline struct{ text strings.Builder }

// line adds a line, two spaces a level deep.
func (o *outline) line(level int, format string, args ...any) {
	text := strings.TrimRight(strings.Repeat("  ", level)+fmt.Sprintf(format, args...), " ")
	o.text.WriteString(text + "\n")
}

func repeats(p *plan.Plan) string {
	if p.Repeat < 2 {
		return ""
	}
	return fmt.Sprintf(", %d repetitions, %s", p.Repeat, p.Order)
}

// judgements lists what is looked at after the run.
func (o *outline) judgements(p *plan.Plan) {
	if len(p.Expects)+len(p.Checks)+len(p.Compares)+len(p.Reports) > 0 {
		o.line(0, "")
		o.line(0, "afterwards")
	}
	for _, e := range p.Expects {
		for _, b := range e.Bounds {
			o.line(1, "expect %s: %s", scope(e), bound(b))
		}
	}
	for _, c := range p.Checks {
		o.line(1, "check %s", c.Name)
	}
	for _, k := range p.Compares {
		of := plan.Expect{Phase: k.Phase, Op: k.Op, Step: k.Step}
		o.line(1, "compare %s: %s of %s against %s%s", scope(of), k.Metric, k.New, k.Base, failing(k))
	}
	for _, r := range p.Reports {
		o.line(1, "report %s", r.Name)
	}
}

// scope names what an expectation is about.
func scope(e plan.Expect) string {
	parts := []string{"phase " + e.Phase}
	if e.Cluster != "" {
		parts = append(parts, "cluster "+e.Cluster)
	}
	if e.Op != "" {
		parts = append(parts, e.Op)
	}
	if e.Step >= 0 {
		parts = append(parts, fmt.Sprintf("step %d", e.Step+1))
	}
	return strings.Join(parts, ", ")
}

// failing is the difference that fails a comparison.
func failing(k plan.Compare) string {
	if k.FailIf == "" {
		return ""
	}
	return ", fails if " + k.FailIf
}

func bound(b plan.Bound) string {
	side := "below"
	if b.Above {
		side = "above"
	}
	return fmt.Sprintf("%s %s %s", b.Metric, side, limit(b))
}

func comma(n uint64) string { return humanize.Comma(int64(min(n, 1<<62))) }

// Package report turns a result into what people and machines read. Each report
// is a function of the result alone: the same bytes from a run that just ended
// and from one loaded years later.
package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kvscen/kvscen/internal/result"
)

// load is the role of phases that are shown, but kept out of the summary.
const load = "load"

// Table writes the whole report for a terminal: what was run, for each phase its
// summary table, steps, errors and doubts, then the scenario's own reports, events
// and verdicts. Nothing is written if the result is damaged.
func Table(w io.Writer, r *result.Run) error {
	var b bytes.Buffer
	if err := write(&terminal{w: &b}, r); err != nil {
		return err
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// write puts the report on a page.
func write(to page, r *result.Run) error {
	heading(to, r)
	for _, name := range r.PhaseNames() {
		if err := phase(to, r, name); err != nil {
			return fmt.Errorf("reporting phase %s: %w", clean(name), err)
		}
	}
	if err := ownTables(to, r.Reports); err != nil {
		return err
	}
	events(to, r)
	clocks(to, r)
	verdicts(to, r.Verdicts)
	status(to, r)
	return nil
}

func phase(to page, r *result.Run, name string) error {
	columns, err := columnsOf(r, name)
	if err != nil {
		return err
	}
	measured := measuredOf(columns)
	to.phase(name, phaseTitle(r, name, columns))
	if len(measured) > 0 {
		if err := summary(to, name, measured); err != nil {
			return err
		}
	}
	if err := operations(to, r, name, columns); err != nil {
		return err
	}
	if err := steps(to, r, name, columns); err != nil {
		return err
	}
	if err := members(to, r, name, measured); err != nil {
		return err
	}
	if err := became(to, r, name, columns); err != nil {
		return err
	}
	failures(to, columns)
	doubts(to, columns)
	absent(to, r, columns)
	return nil
}

// absent names the clusters that never came to a phase which others ran; events
// say why.
func absent(to page, r *result.Run, columns []*column) {
	var labels []string
	for _, label := range r.Labels() {
		if !slices.ContainsFunc(columns, func(c *column) bool { return c.label == label }) {
			labels = append(labels, clean(label))
		}
	}
	if len(labels) > 0 {
		to.remark("Did not run this phase:", strings.Join(labels, ", "))
	}
}

// measuredOf leaves out the columns of phases whose role is load.
func measuredOf(columns []*column) []*column {
	var measured []*column
	for _, c := range columns {
		if c.phases[0].Role != load {
			measured = append(measured, c)
		}
	}
	return measured
}

func phaseTitle(r *result.Run, name string, columns []*column) string {
	title := "Phase " + clean(name) + ", " + loop(columns)
	first := columns[0].phases[0]
	if first.Role == load {
		title += "; it loads data and is not part of the summary"
	}
	if first.Background {
		title += "; in the background"
	}
	if others := companions(r, name); len(others) > 0 {
		title += "; in parallel with " + strings.Join(others, ", ")
	}
	return title
}

// companions lists the phases that ran at the same time as the named one.
func companions(r *result.Run, name string) []string {
	var others []string
	for i := range r.Clusters {
		phases := r.Clusters[i].Phases
		at := slices.IndexFunc(phases, func(p result.Phase) bool { return p.Name == name })
		for j := range phases {
			if at < 0 || j == at || phases[j].Group != phases[at].Group {
				continue
			}
			if other := clean(phases[j].Name); !slices.Contains(others, other) {
				others = append(others, other)
			}
		}
	}
	return others
}

package report

import (
	"fmt"
	"slices"

	"github.com/kvscen/kvscen/internal/result"
)

// column is one cluster in one phase, its repetitions merged.
type column struct {
	label  string
	view   *result.View
	runs   []*result.View // one a repetition
	phases []*result.Phase
	number []int // of the repetition that a phase belongs to, from 1
}

// columnsOf gives a column for each cluster that has the phase.
func columnsOf(r *result.Run, phase string) ([]*column, error) {
	var columns []*column
	for _, label := range r.Labels() {
		c := &column{label: label}
		for i := range r.Clusters {
			if r.Clusters[i].Label != label {
				continue
			}
			for j := range r.Clusters[i].Phases {
				if p := &r.Clusters[i].Phases[j]; p.Name == phase {
					c.phases = append(c.phases, p)
					c.number = append(c.number, r.Clusters[i].Repetition+1)
				}
			}
		}
		if len(c.phases) == 0 {
			continue
		}
		s := result.Selection{Cluster: label, Phase: phase, Repetition: result.Merged, Step: result.Merged}
		var err error
		if c.view, err = r.View(s); err != nil {
			return nil, err
		}
		if c.runs, err = r.Runs(s); err != nil {
			return nil, err
		}
		columns = append(columns, c)
	}
	return columns, nil
}

// heading is the cluster's label, how many runs are merged where it is more than
// one, and whether the figures are of less than was asked for.
func (c *column) heading() string {
	text := shorten(c.label, 24)
	if len(c.runs) > 1 {
		text += fmt.Sprintf(" (%d runs)", len(c.runs))
	}
	if slices.ContainsFunc(c.phases, endedEarly) {
		text += " (ended early)"
	}
	return text
}

// endedEarly reports whether a phase has measured less than was asked for. A
// schedule that has come to its end has not, though requests may be missed.
func endedEarly(p *result.Phase) bool {
	return p.Error != "" || slices.ContainsFunc(p.Steps, func(s result.Step) bool {
		return !asPlanned(s.EndedBy) && s.EndedBy != "schedule"
	})
}

// markers sums a marker's count over members and repetitions, if it was looked
// for.
func (c *column) markers(label string) (n int, sought bool) {
	for _, p := range c.phases {
		for _, m := range p.Markers {
			if m.Label == label {
				n, sought = n+m.Count, true
			}
		}
	}
	return n, sought
}

// marks counts the marks of trust.
func (c *column) marks() (all, bad int) {
	for _, p := range c.phases {
		for _, m := range p.Marks {
			all++
			if m.Bad {
				bad++
			}
		}
	}
	return all, bad
}

// place names the cluster, and the run where there are several, of one of the
// column's phases.
func (c *column) place(phase int) string {
	if len(c.runs) > 1 {
		return fmt.Sprintf("%s, run %d", shorten(c.label, 24), c.number[phase])
	}
	return shorten(c.label, 24)
}

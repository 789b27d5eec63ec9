package result

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Selection names a part of a run.
type Selection struct {
	Cluster    string // label
	Phase      string
	Repetition int    // from 0; Merged: all of them
	Step       int    // from 0; Merged: all of them
	Op         string // name in Phase.Ops; empty: all of them
}

// Merged, as a repetition or a step, stands for all of them.
const Merged = -1

// Moment is what is known of a step while it goes on, of measured requests.
type Moment struct {
	Cluster    string
	Phase      string
	Step       int           // from 0
	Open       bool          // the step has a schedule
	Failed     uint64        // in all steps of this repetition so far
	StepFailed uint64        // in this step
	Op         string        // that Slowest is of
	Slowest    time.Duration // latency of the slowest ok request of the second that has ended; 0: none is known
}

// part is what one repetition adds to a view.
type part struct {
	steps     []Step
	single    bool // the phase has one operation
	inProcess bool
}

func (r *Run) parts(s Selection) ([]part, error) {
	var parts []part
	var labels, phases, ops []string
	runs, steps := 0, 0
	for i := range r.Clusters {
		c := &r.Clusters[i]
		labels = append(labels, c.Label)
		if c.Label != s.Cluster {
			continue
		}
		runs = max(runs, c.Repetition+1)
		if s.Repetition >= 0 && c.Repetition != s.Repetition {
			continue
		}
		for j := range c.Phases {
			p := &c.Phases[j]
			phases = append(phases, p.Name)
			if p.Name != s.Phase {
				continue
			}
			steps = max(steps, len(p.Steps))
			ops = append(ops, opNames(p)...)
			if part, ok := selectSteps(p, s); ok {
				part.inProcess = c.InProcess
				parts = append(parts, part)
			}
		}
	}
	switch {
	case len(parts) > 0:
		return parts, nil
	case !slices.Contains(labels, s.Cluster):
		return nil, absent("cluster", s.Cluster, labels)
	case s.Repetition >= runs:
		return nil, fmt.Errorf("cluster %s has no repetition %d: there are %d", s.Cluster, s.Repetition, runs)
	case !slices.Contains(phases, s.Phase):
		return nil, absent("phase", s.Phase, phases)
	case s.Op != "" && !slices.Contains(ops, s.Op):
		return nil, absent("operation", s.Op, ops)
	default:
		return nil, fmt.Errorf("phase %s on %s has no step %d: there are %d", s.Phase, s.Cluster, s.Step+1, steps)
	}
}

func selectSteps(p *Phase, s Selection) (part, bool) {
	if s.Op != "" && !slices.Contains(opNames(p), s.Op) {
		return part{}, false
	}
	steps := p.Steps
	if s.Step >= 0 {
		if s.Step >= len(steps) {
			return part{}, false
		}
		steps = steps[s.Step : s.Step+1]
	}
	return part{steps: steps, single: len(p.Ops) == 1}, true
}

func opNames(p *Phase) []string {
	names := make([]string, 0, len(p.Ops))
	for _, o := range p.Ops {
		names = append(names, o.Name)
	}
	return names
}

func absent(what, name string, have []string) error {
	slices.Sort(have)
	have = slices.Compact(have)
	if len(have) == 0 {
		return fmt.Errorf("no %s %q in the result: there is none", what, name)
	}
	return fmt.Errorf("no %s %q in the result: there is %s", what, name, strings.Join(have, ", "))
}

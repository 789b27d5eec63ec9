package charts

import (
	"fmt"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

// phase is one phase on all clusters that ran it.
type phase struct {
	run  *result.Run
	name string
	runs []run
}

// run is one repetition of a phase on one cluster.
type run struct {
	cluster    *result.Cluster
	phase      *result.Phase
	color      int
	repetition int
	repeated   bool
}

func newPhase(r *result.Run, name string) *phase {
	p := &phase{run: r, name: name}
	for color, label := range r.Labels() {
		var found []run
		for i := range r.Clusters {
			c := &r.Clusters[i]
			for j := range c.Phases {
				if c.Label == label && c.Phases[j].Name == name {
					found = append(found, run{cluster: c, phase: &c.Phases[j], color: color, repetition: c.Repetition})
				}
			}
		}
		for i := range found {
			found[i].repeated = len(found) > 1
		}
		p.runs = append(p.runs, found...)
	}
	return p
}

// label names a run's line.
func (r *run) label() string {
	if r.repeated {
		return fmt.Sprintf("%s, run %d", r.cluster.Label, r.repetition+1)
	}
	return r.cluster.Label
}

// dash tells the runs of one cluster apart.
func (r *run) dash() int { return r.repetition }

func (p *phase) charts() ([]Chart, error) {
	list := p.overTime()
	list = append(list, p.resources()...)
	list = append(list, p.byKey()...)
	for _, more := range []func() ([]Chart, error){p.byLoad, p.distributions} {
		made, err := more()
		if err != nil {
			return nil, fmt.Errorf("charts of phase %s: %w", p.name, err)
		}
		list = append(list, made...)
	}
	return append(list, p.heats()...), nil
}

// length is from the start of the phase to the end of its last step.
func (r *run) length() time.Duration {
	var end time.Duration
	for i := range r.phase.Steps {
		end = max(end, r.phase.Steps[i].To)
	}
	return end
}

// timed gives charts that have time as X what they have in common.
func (p *phase) timed(c Chart) Chart {
	c.Time = true
	c.X = Axis{Label: "time since the phase began (s)", Scale: Linear}
	for i := range p.runs {
		c.Events = append(c.Events, p.runs[i].events()...)
	}
	return c
}

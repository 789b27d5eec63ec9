package report

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/kvscen/kvscen/internal/result"
)

// digest is what JSON writes: the figures of the report by the names that
// expectations use. Everything else of a run is in run.json.
type digest struct {
	Schema   int              `json:"schema"`
	Kvscen   string           `json:"kvscen"`
	Scenario result.Scenario  `json:"scenario"`
	Status   int              `json:"status"`
	Reason   string           `json:"reason,omitempty"`
	Clusters []clusterDigest  `json:"clusters"`
	Phases   []phaseDigest    `json:"phases"`
	Verdicts []result.Verdict `json:"verdicts"`
	Reports  []result.Report  `json:"reports,omitempty"`
}

// clusterDigest is one repetition on one cluster: how far it came.
type clusterDigest struct {
	Cluster    string         `json:"cluster"`
	Repetition int            `json:"repetition"` // from 0
	Version    string         `json:"version,omitempty"`
	Error      string         `json:"error,omitempty"` // why it ended early, or was not run
	Events     []result.Event `json:"events,omitempty"`
}

// phaseDigest is one phase on one cluster, repetitions merged.
type phaseDigest struct {
	Phase   string              `json:"phase"`
	Cluster string              `json:"cluster"`
	Role    string              `json:"role"`
	Runs    int                 `json:"runs"`
	Metrics figures             `json:"metrics"`
	Ops     map[string]figures  `json:"ops,omitempty"` // where there is more than one
	Steps   []stepDigest        `json:"steps"`
	Errors  []result.ErrorClass `json:"errors"`
	Marks   []result.Mark       `json:"marks"`

	EndedEarly bool `json:"ended_early,omitempty"` // it has measured less than was asked for
}

type stepDigest struct {
	Step        int     `json:"step"` // from 0
	Clients     int     `json:"clients"`
	Connections int     `json:"connections"`
	Rate        string  `json:"rate,omitempty"`
	Metrics     figures `json:"metrics"`
}

// figures are metrics by name; unknown ones are {"na": reason}.
type figures map[string]result.Number

// JSON writes the figures of the report for other programs, one object.
func JSON(w io.Writer, r *result.Run) error {
	d := digest{
		Schema: r.Schema, Kvscen: r.Kvscen, Scenario: r.Scenario, Status: r.Status, Reason: r.Reason,
		Clusters: []clusterDigest{}, Phases: []phaseDigest{}, Verdicts: append([]result.Verdict{}, r.Verdicts...),
		Reports: r.Reports,
	}
	for i := range r.Clusters {
		c := &r.Clusters[i]
		d.Clusters = append(d.Clusters, clusterDigest{c.Label, c.Repetition, c.Version, c.Error, c.Events})
	}
	for _, name := range r.PhaseNames() {
		columns, err := columnsOf(r, name)
		if err != nil {
			return fmt.Errorf("reporting phase %s: %w", name, err)
		}
		for _, c := range columns {
			p, err := digestOf(r, name, c)
			if err != nil {
				return fmt.Errorf("reporting phase %s: %w", name, err)
			}
			d.Phases = append(d.Phases, p)
		}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(d); err != nil {
		return fmt.Errorf("writing the report as JSON: %w", err)
	}
	return nil
}

func digestOf(r *result.Run, name string, c *column) (phaseDigest, error) {
	p := phaseDigest{
		Phase: name, Cluster: c.label, Role: c.phases[0].Role, Runs: len(c.runs), Metrics: figuresOf(c.view),
		Steps: []stepDigest{}, Errors: append([]result.ErrorClass{}, errorClasses(c.phases)...), Marks: []result.Mark{},
	}
	s := result.Selection{Cluster: c.label, Phase: name, Repetition: result.Merged, Step: result.Merged}
	if ops := distinctOps(c.phases); len(ops) > 1 {
		p.Ops = map[string]figures{}
		for _, op := range ops {
			s.Op = op.Name
			v, err := r.View(s)
			if err != nil {
				return p, err
			}
			p.Ops[op.Name] = figuresOf(v)
		}
		s.Op = ""
	}
	longest := c.phases[0].Steps
	for _, q := range c.phases {
		p.Marks = append(p.Marks, q.Marks...)
		p.EndedEarly = p.EndedEarly || endedEarly(q)
		if len(q.Steps) > len(longest) {
			longest = q.Steps
		}
	}
	for i := range longest {
		s.Step = i
		v, err := r.View(s)
		if err != nil {
			return p, err
		}
		st := &longest[i]
		p.Steps = append(p.Steps, stepDigest{i, st.Clients, st.Connections, st.Rate, figuresOf(v)})
	}
	return p, nil
}

func figuresOf(v *result.View) figures {
	f := figures{}
	for _, m := range result.Metrics() {
		f[m.Name] = v.Metric(m.Name)
	}
	return f
}

package builtins

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// The parts of a result are those of the plan, whatever of it came to be run,
// and what a result of old may have besides.

func (rec *recorder) labels() []string {
	var out []string
	for i := range rec.plan.Runs {
		out = append(out, rec.plan.Runs[i].Cluster.Label)
	}
	for _, label := range rec.run.Labels() {
		if !slices.Contains(out, label) {
			out = append(out, label)
		}
	}
	return out
}

// phases lists the phases of a cluster, or of all clusters where label is empty.
func (rec *recorder) phases(label string) []string {
	var out []string
	add := func(cluster, name string) {
		if (label == "" || cluster == label) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for i := range rec.plan.Runs {
		run := &rec.plan.Runs[i]
		for _, g := range run.Groups {
			for j := range g.Phases {
				add(run.Cluster.Label, g.Phases[j].Name)
			}
		}
	}
	for i := range rec.run.Clusters {
		c := &rec.run.Clusters[i]
		for j := range c.Phases {
			add(c.Label, c.Phases[j].Name)
		}
	}
	return out
}

// onlyCluster is the label given, or that of the only cluster.
func (rec *recorder) onlyCluster(label string) (string, error) {
	if label != "" {
		return label, nil
	}
	labels := rec.labels()
	if len(labels) != 1 {
		return "", fmt.Errorf("say which cluster is meant, as r.cluster(label); there are: %s", strings.Join(labels, ", "))
	}
	return labels[0], nil
}

// planOf is the plan of a cluster; empty: it is not of this plan.
func (rec *recorder) planOf(label string) plan.Run {
	for i := range rec.plan.Runs {
		if rec.plan.Runs[i].Cluster.Label == label {
			return rec.plan.Runs[i]
		}
	}
	return plan.Run{}
}

// planned is the plan of a phase; empty: it is not of this plan.
func (rec *recorder) planned(label, phase string) *plan.Phase {
	for _, g := range rec.planOf(label).Groups {
		for i := range g.Phases {
			if g.Phases[i].Name == phase {
				return &g.Phases[i]
			}
		}
	}
	return &plan.Phase{}
}

// meant reports whether the plan has what is selected.
func (rec *recorder) meant(s result.Selection) bool {
	p := rec.planned(s.Cluster, s.Phase)
	return p.Name != "" && s.Step < len(p.Steps) && s.Repetition < max(1, rec.plan.Repeat) &&
		(s.Op == "" || slices.Contains(p.OpNames(), s.Op))
}

// ran reports whether the result has what is selected.
func (rec *recorder) ran(s result.Selection) bool {
	for i := range rec.run.Clusters {
		c := &rec.run.Clusters[i]
		if c.Label != s.Cluster || s.Repetition >= 0 && c.Repetition != s.Repetition {
			continue
		}
		for j := range c.Phases {
			if c.Phases[j].Name == s.Phase && s.Step < len(c.Phases[j].Steps) {
				return true
			}
		}
	}
	return false
}

// repetitions counts those of a cluster.
func (rec *recorder) repetitions(label string) int {
	n := 0
	for i := range rec.run.Clusters {
		if c := &rec.run.Clusters[i]; c.Label == label {
			n = max(n, c.Repetition+1)
		}
	}
	return n
}

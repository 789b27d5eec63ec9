// Package merge puts results of several folders together as one: the shards of a
// CI matrix, repetitions on other days, runs with other parameters. Nothing is
// averaged and nothing lost: each cluster of each result stands in the whole as a
// repetition of its own, and figures are merged where they are read.
package merge

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kvscen/kvscen/internal/result"
)

// Shards puts results of one scenario together: different clusters stand side by
// side, the same cluster of several results is repeated. Verdicts and reports are
// left out; they are of the whole, and to be made anew. A status is kept only where
// it is of what was run. It is an error if two are of the same run.
func Shards(runs []*result.Run) (*result.Run, error) {
	whole := begin(runs)
	counts := map[string]int{}
	for i, r := range runs {
		for _, other := range runs[:i] {
			if other.Start.Equal(r.Start) && other.End.Equal(r.End) && other.Environment.Host == r.Environment.Host && other.Scenario.Hash == r.Scenario.Hash {
				return nil, fmt.Errorf("%s and %s are the same run", other.Dir, r.Dir)
			}
		}
		take(whole, r, counts)
		settle(whole, r)
	}
	for _, n := range counts {
		whole.Scenario.Repeat = max(whole.Scenario.Repeat, n)
	}
	return whole, nil
}

// begin is the whole before anything is in it: what belongs to the run as such.
func begin(runs []*result.Run) *result.Run {
	whole := *runs[0]
	whole.Scenario.Repeat = 1
	whole.Clusters, whole.Verdicts, whole.Reports = nil, nil, nil
	whole.Status, whole.Reason, whole.Dir = result.StatusOK, "", ""
	for _, r := range runs {
		if r.Start.Before(whole.Start) {
			whole.Start = r.Start
		}
		if r.End.After(whole.End) {
			whole.End = r.End
		}
		for _, s := range r.Scenario.Sources {
			if !slices.Contains(whole.Scenario.Sources, s) {
				whole.Scenario.Sources = append(slices.Clip(whole.Scenario.Sources), s)
			}
		}
		whole.Clients = max(whole.Clients, r.Clients)
	}
	whole.Notes = append(ofWhat(runs), differences(runs)...)
	return &whole
}

// take adds the clusters of a result, each as the next repetition of its label.
func take(whole, r *result.Run, counts map[string]int) {
	for _, c := range r.Clusters {
		c.Repetition = counts[c.Label]
		counts[c.Label]++
		c.Dir = dirOf(r, &c)
		whole.Clusters = append(whole.Clusters, c)
	}
}

func dirOf(r *result.Run, c *result.Cluster) string {
	if c.Dir != "" {
		return c.Dir
	}
	return r.Dir
}

// settle keeps the first status that is not one of verdicts or reports, which are
// made anew.
func settle(whole, r *result.Run) {
	anew := []int{result.StatusOK, result.StatusCheck, result.StatusUntrusted, result.StatusReport}
	if whole.Status == result.StatusOK && !slices.Contains(anew, r.Status) {
		whole.Status, whole.Reason = r.Status, name(r)+": "+r.Reason
	}
}

// name is what a result is called to a person.
func name(r *result.Run) string {
	if r.Dir == "" {
		return r.Scenario.Name
	}
	return filepath.Base(r.Dir)
}

// mostNamed is how many results are named one by one.
const mostNamed = 8

// ofWhat says what was put together.
func ofWhat(runs []*result.Run) []string {
	if len(runs) == 1 {
		return runs[0].Notes
	}
	var names []string
	for i, r := range runs {
		if i == mostNamed {
			names = append(names, fmt.Sprintf("%d more", len(runs)-i))
			break
		}
		names = append(names, fmt.Sprintf("%s (%s)", name(r), strings.Join(r.Labels(), ", ")))
	}
	return []string{fmt.Sprintf("%d results put together, histograms merged: %s", len(runs), strings.Join(names, "; "))}
}

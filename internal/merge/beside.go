package merge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kvscen/kvscen/internal/result"
)

// Part is a result, whole already, and what tells it from the others.
type Part struct {
	Run  *result.Run
	Name string
}

// Beside sets results of one scenario with different parameters side by side: the
// clusters of each are columns of their own, and verdicts and reports those of
// each. Name tells them apart.
func Beside(parts []Part) *result.Run {
	whole := together(parts, "set side by side, each judged by itself")
	for _, p := range parts {
		for _, c := range p.Run.Clusters {
			c.Label = named(c.Label, p.Name)
			c.Dir = dirOf(p.Run, &c)
			whole.Clusters = append(whole.Clusters, c)
		}
	}
	whole.Scenario.Params = same(parts)
	return whole
}

// Apart sets results of different scenarios one after the other: phases of the
// same name are not the same, and nothing is compared between them.
func Apart(parts []Part) *result.Run {
	whole := together(parts, "different scenarios, set one after the other: nothing is compared between them")
	var names []string
	for _, p := range parts {
		names = append(names, p.Name)
		for _, c := range p.Run.Clusters {
			c.Dir = dirOf(p.Run, &c)
			c.Phases = slices.Clone(c.Phases)
			for i := range c.Phases {
				c.Phases[i].Name = p.Name + ": " + c.Phases[i].Name
			}
			whole.Clusters = append(whole.Clusters, c)
		}
	}
	whole.Scenario = result.Scenario{Name: strings.Join(names, ", "), Repeat: 1}
	for _, p := range parts {
		whole.Scenario.Repeat = max(whole.Scenario.Repeat, p.Run.Scenario.Repeat)
		whole.Scenario.Hash = strings.TrimSpace(whole.Scenario.Hash + " " + p.Run.Scenario.Hash)
	}
	return whole
}

// together is the whole before its clusters: verdicts, reports and the first
// cause are those of the parts.
func together(parts []Part, how string) *result.Run {
	runs := make([]*result.Run, len(parts))
	for i, p := range parts {
		runs[i] = p.Run
	}
	whole := begin(runs)
	whole.Notes = []string{fmt.Sprintf("%d parts, %s", len(parts), how)}
	for _, p := range parts {
		for _, text := range p.Run.Notes {
			whole.Notes = append(whole.Notes, p.Name+": "+text)
		}
		for _, v := range p.Run.Verdicts {
			v.Name = named(v.Name, p.Name)
			whole.Verdicts = append(whole.Verdicts, v)
		}
		for _, r := range p.Run.Reports {
			r.Name = named(r.Name, p.Name)
			whole.Reports = append(whole.Reports, r)
		}
		whole.Scenario.Repeat = max(whole.Scenario.Repeat, p.Run.Scenario.Repeat)
		if whole.Status == result.StatusOK && p.Run.Status != result.StatusOK {
			whole.Status, whole.Reason = p.Run.Status, p.Name+": "+p.Run.Reason
		}
	}
	whole.Notes = append(whole.Notes, differences(runs)...)
	return whole
}

// named tells a name of one part from that of another.
func named(name, part string) string { return fmt.Sprintf("%s (%s)", name, part) }

// same keeps the parameters that have one value in all parts.
func same(parts []Part) []result.Param {
	return slices.DeleteFunc(slices.Clone(parts[0].Run.Scenario.Params), func(p result.Param) bool {
		return slices.ContainsFunc(parts, func(other Part) bool { return !slices.Contains(other.Run.Scenario.Params, p) })
	})
}

// Differing names a part by the parameters in which it differs from others.
func Differing(params []result.Param, sets [][]result.Param) string {
	var words []string
	for _, p := range params {
		if slices.ContainsFunc(sets, func(set []result.Param) bool { return !slices.Contains(set, p) }) {
			words = append(words, p.Name+" = "+p.Value)
		}
	}
	return cmp.Or(strings.Join(words, ", "), "other plan")
}

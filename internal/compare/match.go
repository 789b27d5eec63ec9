package compare

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kvscen/kvscen/internal/result"
)

// subject is one phase on one cluster, on both sides.
type subject struct {
	base, new Side
	from, to  string // labels of the cluster
	phase     string
	op        string // empty: all of them
	step      int
}

func (s *subject) label() string {
	if s.from == s.to {
		return s.from
	}
	return s.from + " -> " + s.to
}

// match lists what both sides have, in the order of base, and says what only one
// of them has.
func match(base, new Side, o Options) ([]subject, []string, error) {
	pairs, warnings, err := clusters(base, new, o.Pairs)
	if err != nil {
		return nil, nil, err
	}
	var found []subject
	for _, p := range pairs {
		theirs := phases(new, p[1])
		for _, name := range phases(base, p[0]) {
			if !slices.Contains(theirs, name) {
				warnings = append(warnings, fmt.Sprintf("phase %s on %s is in %s alone", name, p[0], base.Name))
				continue
			}
			s := subject{base: base, new: new, from: p[0], to: p[1], phase: name, step: result.Merged}
			found = append(found, s)
			if n := min(steps(base, p[0], name), steps(new, p[1], name)); o.Steps && n > 1 {
				for s.step = range n {
					found = append(found, s)
				}
			}
		}
	}
	if len(found) == 0 {
		return nil, nil, fmt.Errorf("comparing %s and %s: they have no phase on a cluster in common", base.Name, new.Name)
	}
	return found, warnings, nil
}

// clusters pairs the labels of both sides. Where each side has one cluster alone
// they are compared whatever they are called: that is what was asked.
func clusters(base, new Side, given map[string]string) (pairs [][2]string, warnings []string, err error) {
	from, to := labels(base), labels(new)
	for a, b := range given {
		if !slices.Contains(from, a) {
			return nil, nil, fmt.Errorf("comparing: %s has no cluster %q, it has %s", base.Name, a, strings.Join(from, ", "))
		}
		if !slices.Contains(to, b) {
			return nil, nil, fmt.Errorf("comparing: %s has no cluster %q, it has %s", new.Name, b, strings.Join(to, ", "))
		}
	}
	if len(from) == 0 || len(to) == 0 {
		return nil, nil, errors.New("comparing: a side without a cluster")
	}
	if len(given) == 0 && len(from) == 1 && len(to) == 1 {
		return [][2]string{{from[0], to[0]}}, nil, nil
	}
	for _, a := range from {
		b, ok := given[a]
		if !ok {
			b = a
		}
		if !slices.Contains(to, b) {
			warnings = append(warnings, fmt.Sprintf("cluster %s is in %s alone", a, base.Name))
			continue
		}
		pairs = append(pairs, [2]string{a, b})
	}
	return pairs, warnings, nil
}

// labels lists the clusters of a side in the order of its runs.
func labels(s Side) []string {
	var list []string
	for _, r := range s.Runs {
		for i := range r.Clusters {
			if l := r.Clusters[i].Label; !slices.Contains(list, l) {
				list = append(list, l)
			}
		}
	}
	return list
}

// phases lists the measured phases of a cluster; those that only load are left
// out of comparisons as they are of the summary.
func phases(s Side, label string) []string {
	var list []string
	each(s, label, func(_ *result.Run, c *result.Cluster) {
		for i := range c.Phases {
			if p := &c.Phases[i]; p.Role != "load" && !slices.Contains(list, p.Name) {
				list = append(list, p.Name)
			}
		}
	})
	return list
}

// steps is the smallest number of load levels that a run of the phase has.
func steps(s Side, label, phase string) int {
	n := 0
	each(s, label, func(_ *result.Run, c *result.Cluster) {
		for i := range c.Phases {
			if p := &c.Phases[i]; p.Name == phase && (n == 0 || len(p.Steps) < n) {
				n = len(p.Steps)
			}
		}
	})
	return n
}

// each visits the repetitions of a cluster: the units of a comparison.
func each(s Side, label string, visit func(*result.Run, *result.Cluster)) {
	for _, r := range s.Runs {
		for i := range r.Clusters {
			if r.Clusters[i].Label == label {
				visit(r, &r.Clusters[i])
			}
		}
	}
}

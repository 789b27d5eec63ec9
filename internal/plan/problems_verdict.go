package plan

import "slices"

// expect checks that an expectation speaks of what is there, on at least one
// cluster for each level it names.
func (c *checker) expect(e *Expect) {
	c.figure(e.Pos, "expect", "cluster", &Figure{Cluster: e.Cluster, Phase: e.Phase, Op: e.Op, Step: e.Step})
	for i := range e.Bounds {
		b := &e.Bounds[i]
		if b.Of == nil {
			continue
		}
		word, of := "below", *b.Of
		if b.Above {
			word = "above"
		}
		if of.Cluster == "" {
			of.Cluster = e.Cluster
		}
		c.figure(b.Pos, word, "of", &of)
	}
}

// compare checks both sides of a comparison.
func (c *checker) compare(k *Compare) {
	side := Figure{Cluster: k.Base, Phase: k.Phase, Op: k.Op, Step: k.Step}
	c.figure(k.Pos, "compare", "a", &side)
	side.Cluster = k.New
	c.figure(k.Pos, "compare", "b", &side)
	if k.Base == k.New {
		c.add(k.Pos, "b", "compare: %s is compared with itself", k.New)
	}
}

// figure checks that a figure is of what is there, on at least one cluster for
// each level it names. word is that of the call, which calls the cluster label.
func (c *checker) figure(pos Pos, word, label string, f *Figure) {
	var labels, phases, ops []string
	steps := 0
	for i := range c.plan.Runs {
		run := &c.plan.Runs[i]
		labels = append(labels, run.Cluster.Label)
		if f.Cluster != "" && f.Cluster != run.Cluster.Label {
			continue
		}
		for _, g := range run.Groups {
			for j := range g.Phases {
				ph := &g.Phases[j]
				phases = append(phases, ph.Name)
				if ph.Name == f.Phase {
					ops = append(ops, ph.OpNames()...)
					steps = max(steps, len(ph.Steps))
				}
			}
		}
	}
	switch {
	case f.Cluster != "" && !slices.Contains(labels, f.Cluster):
		c.add(pos, label, "%s: there is no cluster %q, but %s%s", word, f.Cluster, listed(labels), DidYouMean(f.Cluster, labels))
	case !slices.Contains(phases, f.Phase):
		c.add(pos, "phase", "%s: there is no phase %q, but %s%s", word, f.Phase, listed(phases), DidYouMean(f.Phase, phases))
	case f.Op != "" && !slices.Contains(ops, f.Op):
		c.add(pos, "op", "%s: phase %s has no operation %q, but %s%s", word, f.Phase, f.Op, listed(ops), DidYouMean(f.Op, ops))
	case f.Step >= steps:
		c.add(pos, "step", "%s: phase %s has no step %d; it has %d", word, f.Phase, f.Step+1, steps)
	}
}

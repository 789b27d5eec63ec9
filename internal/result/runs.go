package result

import "slices"

// Labels lists the clusters in the order in which they first ran, repetitions
// together.
func (r *Run) Labels() []string {
	var labels []string
	for i := range r.Clusters {
		if !slices.Contains(labels, r.Clusters[i].Label) {
			labels = append(labels, r.Clusters[i].Label)
		}
	}
	return labels
}

// PhaseNames lists the phases of all clusters in the order in which they first
// appear.
func (r *Run) PhaseNames() []string {
	var names []string
	for i := range r.Clusters {
		for j := range r.Clusters[i].Phases {
			if name := r.Clusters[i].Phases[j].Name; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Runs gives one view for each repetition that s selects something of, whatever
// s.Repetition says. It is empty, not an error, where there is none.
func (r *Run) Runs(s Selection) ([]*View, error) {
	var views []*View
	for i := range r.Clusters {
		c := &r.Clusters[i]
		if c.Label != s.Cluster || !slices.ContainsFunc(c.Phases, func(p Phase) bool { return p.Name == s.Phase }) {
			continue
		}
		s.Repetition = c.Repetition
		v, err := r.View(s)
		if err != nil {
			return nil, err
		}
		views = append(views, v)
	}
	return views, nil
}

// Spread gives the smallest and the largest value of a metric over runs. It is
// unknown where the metric is unknown in one of them.
func Spread(runs []*View, metric string) (lowest, highest Number) {
	if len(runs) == 0 {
		return NA("no runs"), NA("no runs")
	}
	for i, v := range runs {
		n := v.Metric(metric)
		if !n.OK() {
			return n, n
		}
		if i == 0 {
			lowest, highest = n, n
		}
		lowest.V, highest.V = min(lowest.V, n.V), max(highest.V, n.V)
	}
	return lowest, highest
}

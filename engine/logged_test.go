package engine

import (
	"strings"
	"testing"
	"time"
)

// TestMarkedLinesHaveTheirTime has a member log every request, and one line that
// bears no time.
func TestMarkedLinesHaveTheirTime(t *testing.T) {
	r, _ := onMembers(t, `
def main():
    k = keys(1000, size = 8)
    return scenario(
        clusters = [stores["etcd"](nodes = 1, flags = {"warning-apply-duration": "1ns"})],
        phases = [phase("p", put(k.sequential(), value(8)), clients = 2, duration = 3*second, warmup = 0)],
    )
`, Config{Data: t.TempDir()}, func(string) {})
	p := r.Clusters[0].Phases[0]
	counts := map[string]int{}
	for _, m := range p.Markers {
		counts[m.Label] = m.Count
	}
	if _, sought := counts["compactions"]; len(p.Logged) < 2 || !sought {
		t.Fatalf("logged %+v, counted %+v", p.Logged, p.Markers)
	}
	sum, end := 0, p.Start.Add(p.Steps[0].To)
	for i, l := range p.Logged {
		sum += l.Count
		if l.AtRead || l.Member != "m1" || l.Label != "slow requests" || !strings.Contains(l.Text, `"ts":"`) || len(l.Text) > loggedLength {
			t.Errorf("logged %+v", l)
		}
		if l.At.Before(p.Start.Add(-stampSlack)) || l.At.After(end.Add(stampSlack)) || i > 0 && l.At.Before(p.Logged[i-1].At) {
			t.Errorf("logged %v, in a phase from %v to %v", l.At.Format(time.StampMilli), p.Start, end)
		}
	}
	if sum != counts["slow requests"] || counts["compactions"] != 0 {
		t.Errorf("%d lines, counted %v", sum, counts)
	}
}

package engine

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/kvscen/kvscen/engine/load"
	"github.com/kvscen/kvscen/internal/result"
)

// twoClusters is a scenario whose first cluster is to fail, in its first phase of
// two.
func twoClusters(first string) string {
	return fmt.Sprintf(`"""Two clusters."""
def main():
    records = keys(1000000, size = 32)
    return scenario(
        clusters = [%s, stores["mem"](keep = False, service = 1 * ms)],
        phases = [
            phase("write", put(records.sequential(), value(16 * KiB)), requests = 20000, clients = 16, timeout = "2s", max_errors = 50),
            phase("read", get(records.uniform()), requests = 100),
        ],
    )
`, first)
}

// failedAlone checks that the first cluster failed while its load was under way,
// with counts that add up, and that the second was run none the less.
func failedAlone(t *testing.T, r *result.Run, member string) {
	t.Helper()
	if r.Status != result.StatusRun || !strings.Contains(r.Reason, member) || !strings.Contains(r.Reason, "its log ends with:\n    ") {
		t.Errorf("status %d, %q; want %d and a reason with the end of the log of %s", r.Status, r.Reason, result.StatusRun, member)
	}
	if len(r.Clusters) != 2 {
		t.Fatalf("%d clusters in the result, want 2", len(r.Clusters))
	}
	first, second := &r.Clusters[0], &r.Clusters[1]
	if first.Error == "" || len(first.Phases) != 1 {
		t.Fatalf("the first cluster: error %q, %d phases; want one, in which it failed", first.Error, len(first.Phases))
	}
	p := &first.Phases[0]
	step := &p.Steps[0]
	if step.EndedBy != load.EndMember || step.Counts.OK == 0 {
		t.Errorf("the step ended by %s with %+v", step.EndedBy, step.Counts)
	}
	addUp(t, step)
	if !slices.ContainsFunc(p.Marks, func(m result.Mark) bool { return m.Kind == "member-lost" && m.Bad }) {
		t.Errorf("marks %+v do not say that a member was lost", p.Marks)
	}
	if second.Error != "" || len(second.Phases) != 2 {
		t.Fatalf("the second cluster: error %q, %d phases; want 2", second.Error, len(second.Phases))
	}
	if ok := second.Phases[0].Steps[0].Counts.OK; ok != 20000 {
		t.Errorf("the second cluster: %d ok, want 20000", ok)
	}
}

// addUp checks the counts of a step against each other.
func addUp(t *testing.T, s *result.Step) {
	t.Helper()
	c := s.Counts
	var byClass, ok, failed uint64
	for _, e := range s.Errors {
		byClass += e.Count
	}
	for _, series := range s.Series {
		ok += series.OK
		failed += series.Failed
	}
	if c.OK+c.Failed != c.Attempted || c.Attempted+c.Missed != c.Due || c.Due+c.Undue != c.Asked {
		t.Errorf("counts %+v do not add up", c)
	}
	if byClass != c.Failed || ok != c.OK || failed != c.Failed {
		t.Errorf("%d failed by class, %d and %d by operation; counts %+v", byClass, ok, failed, c)
	}
}

func TestQuorumLost(t *testing.T) {
	kill := func(data string) {
		for _, name := range []string{"m2", "m3"} {
			send(t, member(t, data, name), syscall.SIGKILL)
		}
	}
	text := twoClusters(`stores["etcd"](nodes = 3)`)
	t.Run("goes on", func(t *testing.T) {
		r, _ := onMembers(t, text, Config{Data: t.TempDir()}, kill)
		failedAlone(t, r, "m")
	})
	t.Run("fail fast", func(t *testing.T) {
		r, _ := onMembers(t, text, Config{Data: t.TempDir(), FailFast: true}, kill)
		if r.Status != result.StatusRun || len(r.Clusters) != 2 {
			t.Fatalf("status %d, %d clusters in the result", r.Status, len(r.Clusters))
		}
		if c := &r.Clusters[1]; !strings.HasPrefix(c.Error, "not run") || len(c.Phases) > 0 {
			t.Errorf("the second cluster: error %q, %d phases; want it not run", c.Error, len(c.Phases))
		}
	})
}

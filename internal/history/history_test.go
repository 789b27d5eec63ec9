package history

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

func save(t *testing.T, dir string, start time.Time, r *result.Run) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.Schema, r.Kvscen, r.Start, r.End = result.Schema, "1", start, start.Add(90*time.Second)
	if err := result.Save(dir, r); err != nil {
		t.Fatal(err)
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	noon := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	step := result.Step{To: 2 * time.Second, Counts: result.Counts{Attempted: 10, OK: 10}}
	measured := result.Cluster{Label: "mem", Phases: []result.Phase{
		{Name: "fill", Role: "load", Steps: []result.Step{step}},
		{Name: "write", Role: "measure", Steps: []result.Step{step}},
		{Name: "again", Role: "load", Steps: []result.Step{step}},
	}}
	save(t, filepath.Join(dir, "late"), noon.Add(time.Hour), &result.Run{Status: 4, Reason: "a member died", Clusters: []result.Cluster{{Label: "etcd"}}})
	save(t, filepath.Join(dir, "many", "early"), noon, &result.Run{
		Scenario: result.Scenario{Name: "write-1m", Params: []result.Param{{Name: "nodes", Value: "3"}}}, Clusters: []result.Cluster{measured},
	})
	save(t, filepath.Join(dir, "a", "b", "c", "d"), noon, &result.Run{}) // too far below
	killed := filepath.Join(dir, "killed")
	if err := os.Mkdir(killed, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(killed, result.LogName), nil, 0o644); err != nil {
		t.Fatal(err)
	}

	runs, err := Find(dir)
	if err != nil || len(runs) != 3 {
		t.Fatalf("found %d runs, %v; want 3", len(runs), err)
	}
	early, late, dead := runs[0], runs[1], runs[2]
	if early.Scenario != "write-1m" || early.Seconds != 90 || early.Params[0] != "nodes=3" {
		t.Errorf("the first is %+v", early)
	}
	if f := early.Figures[0]; f.Phase != "write" || f.Throughput != result.Known(5) || f.P99.OK() {
		t.Errorf("its figures are %+v", f)
	}
	if late.Status != 4 || late.Figures[0].Throughput.OK() {
		t.Errorf("the second is %+v", late)
	}
	if !strings.Contains(dead.Error, "was killed") {
		t.Errorf("the killed one: %q", dead.Error)
	}
	if _, err := Find(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("a folder that is not there has runs")
	}
}

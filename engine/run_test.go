package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/mem"
	"github.com/kvscen/kvscen/engine/load"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// phase makes a phase of one step on keys 0.
func phase(name string, requests uint64, op plan.Op) plan.Phase {
	return plan.Phase{Name: name, Ops: []plan.Op{op}, Requests: requests, Timeout: time.Minute, MaxErrors: -1, Role: plan.Measure,
		Steps: []plan.Step{{Clients: 4, Connections: 4, Requests: requests}}}
}

func putOp() plan.Op {
	return plan.Op{Kind: "put", Weight: 1, Draw: plan.Draw{Order: plan.OrderSequential}, RPCs: "1 call",
		Value: &plan.Value{Size: plan.Size{Kind: "fixed", A: 64}}}
}

func getOp() plan.Op {
	return plan.Op{Kind: "get", Weight: 1, Draw: plan.Draw{Order: plan.OrderUniform}, Consistency: "linearizable", RPCs: "1 call"}
}

// memRun is a cluster of mem with phases, one after the other.
func memRun(label string, options map[string]any, phases ...plan.Phase) plan.Run {
	r := plan.Run{Cluster: plan.Cluster{Label: label, Driver: "mem", Options: options, Nodes: []plan.Node{{Name: "m1"}}}}
	for _, p := range phases {
		r.Groups = append(r.Groups, plan.Group{Phases: []plan.Phase{p}})
	}
	return r
}

func planOf(runs ...plan.Run) *plan.Plan {
	return &plan.Plan{Name: "test", Seed: 1, Repeat: 1, Order: plan.Sequential, Runs: runs,
		Keys:    []plan.Keys{{Count: 1000, Size: 16, Encoding: "decimal"}},
		Sources: []plan.Source{{Name: "test.star", Text: "# the scenario\n"}, {Name: "@std//mem.star", Text: "# the recipe\n"}}}
}

// watcher keeps what an observer sees.
type watcher struct {
	mu     sync.Mutex
	events []Event
	on     func(Event)
}

func (w *watcher) Observe(e Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, e)
	if w.on != nil {
		w.on(e)
	}
}

// conduct runs a plan in temporary folders and checks that what is saved is what
// is returned.
func conduct(t *testing.T, ctx context.Context, p *plan.Plan, obs Observer) (*result.Run, string) {
	t.Helper()
	out := t.TempDir()
	r, err := Run(ctx, p, Config{Drivers: map[string]drivers.Driver{"mem": mem.New()}, Version: "test",
		Out: out, Data: t.TempDir(), Observer: obs})
	if err != nil {
		t.Fatal(err)
	}
	saved, err := result.Load(out)
	if err != nil {
		t.Fatal(err)
	}
	if len(saved.Clusters) != len(r.Clusters) || saved.Status != r.Status || saved.Reason != r.Reason {
		t.Errorf("saved: %d clusters, status %d %q; returned: %d, %d %q",
			len(saved.Clusters), saved.Status, saved.Reason, len(r.Clusters), r.Status, r.Reason)
	}
	return r, out
}

func TestRepetitionsAndTheirOrder(t *testing.T) {
	tests := map[string]string{plan.Sequential: "a0 a1 a2 b0 b1 b2", plan.Interleaved: "a0 b0 b1 a1 a2 b2"}
	for order, want := range tests {
		t.Run(order, func(t *testing.T) {
			p := planOf(memRun("a", nil, phase("write", 100, putOp())), memRun("b", nil, phase("write", 100, putOp())))
			p.Repeat, p.Order = 3, order
			r, _ := conduct(t, t.Context(), p, nil)
			var got []string
			for _, c := range r.Clusters {
				got = append(got, c.Label+string(rune('0'+c.Repetition)))
				if ok := c.Phases[0].Steps[0].Counts.OK; ok != 100 {
					t.Errorf("%s, run %d: %d ok, want 100", c.Label, c.Repetition, ok)
				}
			}
			if s := strings.Join(got, " "); s != want || r.Status != result.StatusOK {
				t.Errorf("order %q, status %d %s; want %q and 0", s, r.Status, r.Reason, want)
			}
		})
	}
}

func TestEachRepetitionHasANewStore(t *testing.T) {
	// Gets of a store that was not written to find nothing, however often they
	// are repeated after the puts.
	p := planOf(memRun("a", nil, phase("read", 100, getOp()), phase("write", 1000, putOp())))
	p.Repeat = 2
	r, _ := conduct(t, t.Context(), p, nil)
	for _, c := range r.Clusters {
		if found := c.Phases[0].Steps[0].Series[0].Found; found != 0 {
			t.Errorf("run %d found %d keys before any was written", c.Repetition, found)
		}
	}
}

func TestFreshPhasesGetANewStore(t *testing.T) {
	read := phase("read", 100, getOp())
	fresh := phase("fresh", 100, getOp())
	fresh.Fresh = true
	r, _ := conduct(t, t.Context(), planOf(memRun("a", nil, phase("write", 1000, putOp()), read, fresh)), nil)
	phases := r.Clusters[0].Phases
	if got := phases[1].Steps[0].Series[0].Found; got != 100 {
		t.Errorf("%d of 100 gets found their key", got)
	}
	if got := phases[2].Steps[0].Series[0].Found; got != 0 {
		t.Errorf("%d gets found a key in a fresh store", got)
	}
}

func TestParallelPhases(t *testing.T) {
	front := phase("front", 200, putOp())
	back := phase("back", 0, getOp())
	back.Background = true
	run := memRun("a", map[string]any{"service": 2 * time.Millisecond})
	run.Groups = []plan.Group{{Phases: []plan.Phase{back, front}}}
	r, _ := conduct(t, t.Context(), planOf(run), nil)
	b, f := r.Clusters[0].Phases[0], r.Clusters[0].Phases[1]
	if f.Steps[0].Counts.OK != 200 || f.Steps[0].EndedBy != load.EndRequests {
		t.Errorf("the front ended by %s with %+v", f.Steps[0].EndedBy, f.Steps[0].Counts)
	}
	if b.Steps[0].Counts.OK == 0 || b.Steps[0].EndedBy != load.EndParallel {
		t.Errorf("the back ended by %s with %+v", b.Steps[0].EndedBy, b.Steps[0].Counts)
	}
	if b.Group != f.Group || r.Status != result.StatusOK {
		t.Errorf("groups %d and %d, status %d %s", b.Group, f.Group, r.Status, r.Reason)
	}
}

func TestRunsThatFail(t *testing.T) {
	failing := phase("write", 1000, putOp())
	few := failing
	few.MaxErrors = 5
	tests := []struct {
		name   string
		run    plan.Run
		status int
		reason string
	}{
		{"nothing ok", memRun("a", map[string]any{"error_rate": 1.0}, failing), result.StatusRun, "nothing ok of 1000 requests: mem: refused"},
		{"too many errors", memRun("a", map[string]any{"error_rate": 0.5}, few), result.StatusRun, "max_errors = 5"},
		{"no such driver", plan.Run{Cluster: plan.Cluster{Label: "a", Driver: "nil"}}, result.StatusSetup, `no driver is called "nil"`},
		{"no such member", func() plan.Run {
			r := memRun("a", nil, failing)
			r.Cluster.Target = "m7"
			return r
		}(), result.StatusRun, "no member is called m7"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, _ := conduct(t, t.Context(), planOf(tt.run, memRun("other", nil, phase("write", 100, putOp()))), nil)
			if r.Status != tt.status || !strings.Contains(r.Reason, tt.reason) {
				t.Errorf("status %d, reason %q; want %d, %q", r.Status, r.Reason, tt.status, tt.reason)
			}
			if len(r.Clusters) != 2 || r.Clusters[0].Error == "" || len(r.Clusters[1].Phases) != 1 {
				t.Errorf("the other cluster was not run: %+v", r.Clusters)
			}
		})
	}
}

func TestInterruptKeepsWhatWasMeasured(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	obs := &watcher{on: func(e Event) {
		if e.Kind == KindProgress {
			cancel(errors.New("enough"))
		}
	}}
	p := planOf(memRun("a", map[string]any{"service": time.Millisecond}, phase("write", 1_000_000, putOp()), phase("never", 10, getOp())),
		memRun("b", nil, phase("write", 10, putOp())))
	r, _ := conduct(t, ctx, p, obs)
	if r.Status != result.StatusInterrupted || len(r.Clusters) != 1 || len(r.Clusters[0].Phases) != 1 {
		t.Fatalf("status %d, clusters %+v", r.Status, r.Clusters)
	}
	step := r.Clusters[0].Phases[0].Steps[0]
	if step.EndedBy != load.EndInterrupt || step.Counts.OK == 0 || step.Counts.Asked != 1_000_000 || step.Counts.Undue == 0 {
		t.Errorf("ended by %s with %+v", step.EndedBy, step.Counts)
	}
}

func TestWhatARunLeavesInItsFolder(t *testing.T) {
	obs := &watcher{}
	r, out := conduct(t, t.Context(), planOf(memRun("a", map[string]any{"service": time.Millisecond}, phase("write", 500, putOp()))), obs)
	for _, name := range []string{"run.json", "scenario/test.star", "scenario/std/mem.star", "samples/a.write.csv"} {
		if _, err := os.Stat(filepath.Join(out, filepath.FromSlash(name))); err != nil {
			t.Error(err)
		}
	}
	if samples, err := r.Samples(result.Selection{Cluster: "a", Phase: "write", Repetition: result.Merged, Step: result.Merged}); err != nil || len(samples) != 500 {
		t.Errorf("%d samples are read again, %v; want 500", len(samples), err)
	}
	file, err := os.Open(filepath.Join(out, "latency.hlog"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	reader, total := hdrhistogram.NewHistogramLogReader(file), int64(0)
	for range 100 {
		h, err := reader.NextIntervalHistogram()
		if h == nil || err != nil {
			break
		}
		if h.Tag() != "a.write.put" {
			t.Errorf("an interval is tagged %q", h.Tag())
		}
		total += h.TotalCount()
	}
	if total != 500 {
		t.Errorf("the latency log holds %d requests, want 500", total)
	}
	var kinds []EventKind
	for _, e := range obs.events {
		switch e.Kind {
		case KindProgress, KindWarning, KindInterval, KindTotals, KindUse: // as often as time passes
		default:
			kinds = append(kinds, e.Kind)
		}
	}
	if want := []EventKind{KindSetup, KindReady, KindStepStart, KindStepEnd, KindStop, KindDone}; !slices.Equal(kinds, want) {
		t.Errorf("events %v, want %v", kinds, want)
	}
	if m := r.Clusters[0].Phases[0].Marks; len(m) == 0 || m[0].Kind != "shared-machine" {
		t.Errorf("marks %+v do not say that the store is on this machine", m)
	}
}

func TestSourceNamesStayBelowTheFolder(t *testing.T) {
	tests := map[string]string{
		"write.star": "write.star", "@std//etcd.star": "std/etcd.star",
		"../../etc/passwd": "etc/passwd", "lib/x.star": "lib/x.star", "/abs.star": "abs.star",
	}
	for name, want := range tests {
		if got := filepath.ToSlash(sourceName(name)); got != want {
			t.Errorf("%q is kept as %q, want %q", name, got, want)
		}
	}
}

func TestQuantile(t *testing.T) {
	list := []bucket{{0.001, 10}, {0.002, 30}, {0.004, 40}}
	for q, want := range map[float64]float64{0.25: 0.001, 0.5: 0.0015, 0.75: 0.002, 1: 0.004} {
		if got := quantile(list, q); got < want-1e-9 || got > want+1e-9 {
			t.Errorf("quantile %v = %v, want %v", q, got, want)
		}
	}
}

func TestDifferenceOfMetrics(t *testing.T) {
	counter := func(v float64) drivers.Metric { return drivers.Metric{Value: v, Counter: true} }
	before := map[string]drivers.Metric{"a_count": counter(5), "b_bytes": {Value: 100}, "f_count": counter(10), "f_sum_seconds": counter(1),
		"f_bucket_0.1": counter(10), "f_bucket_+Inf": counter(10), "gone_count": counter(9)}
	after := map[string]drivers.Metric{"a_count": counter(7), "b_bytes": {Value: 90}, "f_count": counter(20), "f_sum_seconds": counter(1.5),
		"f_bucket_0.1": counter(20), "f_bucket_+Inf": counter(20), "gone_count": counter(3)}
	got := difference(before, after)
	want := map[string]float64{"a_count": 2, "b_bytes": 90, "f_count": 10, "f_sum_seconds": 0.5, "f_mean_seconds": 0.05,
		"f_p50_seconds": 0.05, "f_p99_seconds": 0.099, "gone_count": 3}
	for name, v := range want {
		if g, ok := got[name]; !ok || g < v-1e-9 || g > v+1e-9 {
			t.Errorf("%s = %v, want %v", name, g, v)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

package builtins_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/builtins"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// histogram of n latencies of d each.
func histogram(t *testing.T, n uint64, d time.Duration) *result.Hist {
	t.Helper()
	hdr := result.NewHDR()
	if err := hdr.RecordValues(int64(d), int64(n)); err != nil {
		t.Fatal(err)
	}
	h := &result.Hist{N: n, Sum: n * uint64(d), Min: int64(d), Max: int64(d)}
	if err := h.Encode(hdr); err != nil {
		t.Fatal(err)
	}
	return h
}

// finished is a run of one cluster, twice, with a phase of two steps: the
// second step is slower, and the second repetition is slower by half.
func finished(t *testing.T) *result.Run {
	run := &result.Run{}
	for rep := range 2 {
		phase := result.Phase{Name: "write", Ops: []result.Op{{Name: "put", Weight: 1}}}
		for i, n := range []uint64{100, 10_000} {
			d := time.Duration(i+1) * 10 * time.Millisecond * time.Duration(2+rep) / 2
			phase.Steps = append(phase.Steps, result.Step{
				To:     10 * time.Second,
				Counts: result.Counts{Due: n, Attempted: n, OK: n},
				Series: []result.Series{{Op: "put", OK: n, Written: n * 1024, Service: histogram(t, n, d)}},
			})
		}
		run.Clusters = append(run.Clusters, result.Cluster{Label: "etcd", Repetition: rep, Phases: []result.Phase{phase}})
	}
	return run
}

// judge evaluates the expects and checks of a scenario against finished.
func judge(t *testing.T, expects, checks string, run *result.Run) []result.Verdict {
	t.Helper()
	text := `
def failing(r):
    return r.cluster("etcd").phase("write").step(10).p99 < ms

def main():
    return scenario(
        clusters = [stores["etcd"]()],
        phases = [phase("write", put(keys(10).one(), value(1)), requests = 20, clients = steps([1, 2]))],
        repeat = 2,
        expects = [` + expects + `],
        checks = [` + checks + `],
    )
`
	s := built(t, text)
	return after(s, run, text).Verdicts(s.Checks)
}

// built is what main of a scenario gives.
func built(t *testing.T, text string) *builtins.Scenario {
	t.Helper()
	globals, thread, err := exec("test.star", text, nil)
	if err != nil {
		t.Fatal(explain(err))
	}
	v, err := starlark.Call(thread, globals["main"], nil, nil)
	if err != nil {
		t.Fatal(explain(err))
	}
	s, problems, err := builtins.Build(v, specs())
	if err != nil || len(problems) > 0 {
		t.Fatalf("%v %v", err, problems)
	}
	return s
}

// after is the scenario after a run of it.
func after(s *builtins.Scenario, run *result.Run, text string) *builtins.Finished {
	lines := strings.Split(text, "\n")
	return &builtins.Finished{
		Plan: s.Plan, Run: run, Params: starlark.StringDict{"clients": starlark.MakeInt(7)},
		Call: func(fn starlark.Callable, arg starlark.Value) (starlark.Value, error) {
			return starlark.Call(&starlark.Thread{}, fn, starlark.Tuple{arg}, nil)
		},
		SourceLine: func(p plan.Pos) string { return strings.TrimSpace(lines[p.Line-1]) },
	}
}

func TestEvaluate(t *testing.T) {
	run := finished(t)
	for _, c := range []struct {
		expect, check string
		status        string
		text          string // contained in Text
		reads         []string
	}{
		{expect: `expect("write", p50 = below(40 * ms))`, status: result.Pass,
			reads: []string{`cluster("etcd").phase("write").p50 = 20ms`}},
		{expect: `expect("write", p50 = below(5 * ms), throughput = above(100))`, status: result.Fail,
			reads: []string{`.p50 = 20`, `.throughput = 505/s`}},
		{expect: `expect("write", step = 1, mean = below(13 * ms), error_rate = below(0.1))`, status: result.Pass,
			reads: []string{`step(1).mean = 12.5ms`, `error_rate = 0`}},
		{expect: `expect("write", write_throughput = above(1 * MB))`, status: result.Fail,
			reads: []string{`.write_throughput = 517 kB/s`}},
		{check: `check("c", lambda r: r.write_throughput > 500 * KB and r.op("put").written_bytes > 20 * MB)`, status: result.Pass,
			reads: []string{`.write_throughput = 517 kB/s`, `.op("put").written_bytes = 21 MB`}},
		{expect: `expect("write", step = 1, p99_9 = below(13 * ms))`, status: result.Unknown, text: "200 samples"},
		{expect: `expect("write", step = 1, p99_9 = below(13 * ms), mean = below(ms))`, status: result.Fail},
		{check: `check("c", lambda r: r.cluster("etcd").phase("write").step(2).op("put").service.p50 < 31 * ms)`, status: result.Pass,
			reads: []string{`cluster("etcd").phase("write").step(2).op("put").service.p50 = 20`}},
		{check: `check("c", lambda r: r.p50 < ms)`, status: result.Fail, reads: []string{`phase("write").p50 = 20`}},
		{check: `check("c", lambda r: r.runs[1].step(1).mean > r.runs[0].step(1).mean)`, status: result.Pass,
			reads: []string{`step(1).runs[1].mean = 15ms`, `step(1).runs[0].mean = 10ms`}},
		{check: `check("c", lambda r: r.ok == 20200 and len(r.runs) == 2)`, status: result.Pass, reads: []string{"ok = 20,200"}},
		{check: `check("c", lambda r: r.step(1).p99_9 < ms)`, status: result.Unknown, text: "is not known: 200 samples"},
		{check: `check("c", lambda r: str(r.response.p50) == "")`, status: result.Unknown, text: "closed loop"},
		{check: `check("c", lambda r: "too slow" if r.p50 > ms else "")`, status: result.Fail, text: "too slow"},
		{check: `check("c", lambda r: None)`, status: result.Unknown, text: "must return True, False"},
		{check: `check("c", lambda r: r.cluster("etdc").ok)`, status: result.Fail, text: "did you mean etcd"},
		{check: `check("c", lambda r: r.phase("raed").ok)`, status: result.Fail, text: `there is no "raed" in the result, but: write`},
		{check: `check("c", lambda r: r.troughput > 1)`, status: result.Fail, text: "did you mean throughput"},
		{check: `check("c", failing)`, status: result.Fail, text: "has no step 10"},
	} {
		got := judge(t, c.expect, c.check, run)
		if len(got) != 1 {
			t.Fatalf("%d verdicts", len(got))
		}
		v := got[0]
		what := c.expect + c.check
		if v.Status != c.status || !strings.Contains(v.Text, c.text) {
			t.Errorf("%s: got %s (%s), want %s (%s)", what, v.Status, v.Text, c.status, c.text)
		}
		var reads []string
		for _, r := range v.Reads {
			reads = append(reads, r.Path+" = "+r.Value)
		}
		for _, want := range c.reads {
			if !strings.Contains(strings.Join(reads, "\n"), want) {
				t.Errorf("%s: reads %q lack %s", what, reads, want)
			}
		}
		if v.Where == "" || !strings.Contains(v.Line, what) {
			t.Errorf("%s: at %s: %s", what, v.Where, v.Line)
		}
	}
}

// Latency expectations fail while requests were missed, whatever was measured.
func TestMissedRequestsFail(t *testing.T) {
	run := finished(t)
	run.Clusters[0].Phases[0].Steps[0].Counts.Missed = 3
	v := judge(t, `expect("write", p50 = below(minute)), expect("write", throughput = above(1))`, "", run)
	if v[0].Status != result.Fail || !strings.Contains(v[0].Text, "3 missed requests") {
		t.Errorf("latency: %s (%s)", v[0].Status, v[0].Text)
	}
	if v[1].Status != result.Pass {
		t.Errorf("throughput: %s (%s)", v[1].Status, v[1].Text)
	}
}

// A phase that never ran leaves its expectations unknown.
func TestNothingMeasured(t *testing.T) {
	v := judge(t, `expect("write", p50 = below(minute))`, `check("c", lambda r: r.cluster("etcd").p50 < minute)`, &result.Run{})
	if v[0].Status != result.Unknown || v[1].Status == result.Pass {
		t.Errorf("got %s (%s) and %s (%s)", v[0].Status, v[0].Text, v[1].Status, v[1].Text)
	}
}

// A check sees the latency of each request, but of those that failed.
func TestSamplesInChecks(t *testing.T) {
	run := finished(t)
	run.Dir = t.TempDir()
	var list []result.Sample
	for n := range 10 {
		start := time.Duration(n) * time.Millisecond
		list = append(list, result.Sample{N: uint64(n), Step: n / 5, Op: "put", Start: start, End: 2 * start, OK: n != 7})
	}
	var b strings.Builder
	if err := result.WriteSamples(&b, slices.Values(list)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(run.Dir, "s.csv"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	run.Clusters[0].Phases[0].SamplesFile = "s.csv"
	for _, c := range []struct{ check, status, text string }{
		{`check("c", lambda r: len(r.runs[0].samples) == 9)`, result.Pass, ""},
		{`check("c", lambda r: r.runs[0].step(2).samples == [5 * ms, 6 * ms, 8 * ms, 9 * ms])`, result.Pass, ""},
		{`check("c", lambda r: max(r.runs[0].op("put").samples) < 9 * ms)`, result.Fail, ""},
		{`check("c", lambda r: r.runs[0].samples.append(1))`, result.Fail, "frozen"},
		{`check("c", lambda r: len(r.samples) > 0)`, result.Fail, "none were kept"},
		{`check("c", lambda r: len(r.sample) > 0)`, result.Fail, "did you mean samples"},
	} {
		v := judge(t, "", c.check, run)[0]
		if v.Status != c.status || !strings.Contains(v.Text, c.text) {
			t.Errorf("%s: %s (%s), want %s (%s)", c.check, v.Status, v.Text, c.status, c.text)
		}
	}
	v := judge(t, "", `check("c", lambda r: len(r.runs[0].samples) == 0)`, run)[0]
	if len(v.Reads) != 1 || v.Reads[0].Path != `cluster("etcd").phase("write").runs[0].samples` || v.Reads[0].Value != "9 durations" {
		t.Errorf("reads %+v", v.Reads)
	}
}

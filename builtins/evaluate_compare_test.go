package builtins_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

// twoClusters is a run of a and b, as often as there are latencies of b. Those of
// a are 10 ms and a bit more from one repetition to the next.
func twoClusters(t *testing.T, b ...time.Duration) *result.Run {
	t.Helper()
	run := &result.Run{}
	for rep, slow := range b {
		for label, d := range map[string]time.Duration{"a": 10*time.Millisecond + time.Duration(rep)*10*time.Microsecond, "b": slow} {
			run.Clusters = append(run.Clusters, result.Cluster{Label: label, Repetition: rep, Phases: []result.Phase{{
				Name: "w", Ops: []result.Op{{Name: "put", Weight: 1}},
				Steps: []result.Step{{
					To: 10 * time.Second, Counts: result.Counts{Due: 10_000, Attempted: 10_000, OK: 10_000},
					Series: []result.Series{{Op: "put", OK: 10_000, Service: histogram(t, 10_000, d)}},
				}},
			}}})
		}
	}
	return run
}

// judgeTwo evaluates the verdicts of a scenario of the clusters a and b.
func judgeTwo(t *testing.T, expects, compares string, run *result.Run) []result.Verdict {
	t.Helper()
	text := `
def main():
    return scenario(
        clusters = [stores["mem"](label = "a"), stores["mem"](label = "b")],
        phases = [phase("w", put(keys(10).one(), value(1)), requests = 20)],
        repeat = 5,
        expects = [` + expects + `],
        compares = [` + compares + `],
    )
`
	s := built(t, text)
	return after(s, run, text).Verdicts(s.Checks)
}

// reads are those of a verdict as lines.
func reads(v result.Verdict) string {
	var b strings.Builder
	for _, r := range v.Reads {
		b.WriteString(r.Path + " = " + r.Value + ", limit " + r.Limit + "\n")
	}
	return b.String()
}

func TestCompare(t *testing.T) {
	ms := time.Millisecond
	slow := twoClusters(t, 20*ms, 21*ms, 22*ms, 23*ms, 24*ms)
	same := twoClusters(t, 10*ms, 11*ms, 9*ms, 10*ms, 10*ms)
	one := twoClusters(t, 20*ms)
	for _, c := range []struct {
		compare string
		run     *result.Run
		status  string
		finding string
		better  string
		text    string // contained in Text
		reads   string // contained in the reads
	}{
		{`compare("a", "b", phase = "w", metric = "p99")`, slow, result.Info, "better", "a", "a is better: its p99 is lower by ", "95 % interval +"},
		{`compare("b", "a", phase = "w", metric = "mean")`, slow, result.Info, "better", "a", "a is better: its mean is lower by 12ms than that of b (p 0.0079, 5 and 5 runs)", "difference = -12"},
		{`compare("a", "b", phase = "w", metric = "p99", fail_if = "> +5%")`, slow, result.Fail, "better", "a", "a is better", "limit not > +5%"},
		{`compare("a", "b", phase = "w", metric = "p99", fail_if = "> +500%")`, slow, result.Pass, "better", "a", "a is better", "limit not > +500%"},
		{`compare("a", "b", phase = "w", metric = "p50")`, same, result.Info, "no difference shown", "", "no difference shown", `cluster("a").phase("w").p50 = `},
		{`compare("a", "b", phase = "w", metric = "p50", fail_if = "> +5%")`, same, result.Pass, "no difference shown", "", "", ""},
		{`compare("a", "b", phase = "w", metric = "throughput")`, slow, result.Info, "no difference shown", "", "", `throughput = 1,000/s`},
		{`compare("a", "b", phase = "w", metric = "p99")`, one, result.Info, "not enough runs", "", "1 and 1; at least 4 a side are needed", "difference = +10"},
		{`compare("a", "b", phase = "w", metric = "p99", fail_if = "> +5%")`, one, result.Unknown, "not enough runs", "", "", "limit not > +5%"},
		{`compare("a", "b", phase = "w", metric = "response_p99")`, slow, result.Info, "n/a", "", "closed loop", "n/a (closed loop)"},
		{`compare("a", "b", phase = "w", metric = "p99")`, &result.Run{}, result.Info, "n/a", "", "did not run", "n/a (did not run)"},
		{`compare("a", "b", phase = "w", metric = "p99", fail_if = "> +5%")`, &result.Run{}, result.Unknown, "n/a", "", "did not run", ""},
	} {
		v := judgeTwo(t, "", c.compare, c.run)[0]
		if v.Kind != "compare" || v.Status != c.status || v.Compared.Finding != c.finding || v.Compared.Better != c.better {
			t.Errorf("%s: %s %+v, want %s, %s, %q", c.compare, v.Status, v.Compared, c.status, c.finding, c.better)
		}
		if !strings.Contains(v.Text, c.text) || !strings.Contains(reads(v), c.reads) {
			t.Errorf("%s: text %q, want %q; reads\n%swant %q", c.compare, v.Text, c.text, reads(v), c.reads)
		}
		if !strings.Contains(v.Line, c.compare) {
			t.Errorf("%s: line %q", c.compare, v.Line)
		}
	}
}

// Missed requests make a latency no measure.
func TestCompareMissed(t *testing.T) {
	run := twoClusters(t, 20*time.Millisecond, 20*time.Millisecond, 20*time.Millisecond, 20*time.Millisecond)
	for i := range run.Clusters {
		run.Clusters[i].Phases[0].Steps[0].Counts.Missed = 3
	}
	v := judgeTwo(t, "", `compare("a", "b", phase = "w", metric = "p99", fail_if = "> +5%")`, run)[0]
	if v.Status != result.Unknown || !strings.Contains(v.Text, "missed requests") {
		t.Errorf("%s (%s)", v.Status, v.Text)
	}
}

// A limit may be a multiple of a figure of another cluster.
func TestExpectAcross(t *testing.T) {
	run := twoClusters(t, 15*time.Millisecond)
	for _, c := range []struct{ expect, status, text, reads string }{
		{`expect("w", cluster = "b", p50 = below(2, of = "a"))`, result.Pass, "", `cluster("b").phase("w").p50 = 15`},
		{`expect("w", cluster = "b", p50 = below(2, of = "a"))`, result.Pass, "", `limit below 2 x cluster("a").phase("w").p50 = 20`},
		{`expect("w", cluster = "b", p50 = below(1.2, of = "a"))`, result.Fail, "", "limit below 1.2 x"},
		{`expect("w", p50 = below(1.2, of = "a"))`, result.Fail, "", `cluster("b").phase("w").p50`},
		{`expect("w", cluster = "a", p50 = below(2, of = "a"))`, result.Unknown, "no other cluster", ""},
		{`expect("w", throughput = above(0.8, of = "b"))`, result.Pass, "", `cluster("a").phase("w").throughput = 1,000/s, limit above 0.8 x cluster("b").phase("w").throughput = 800/s`},
		{`expect("w", p99 = below(1.1, metric = "p50"))`, result.Pass, "", `below 1.1 x cluster("b").phase("w").p50`},
		{`expect("w", cluster = "a", p50 = below(2, of = "b", metric = "response_p50"))`, result.Unknown, "the limit is not known: closed loop", "n/a (closed loop)"},
	} {
		v := judgeTwo(t, c.expect, "", run)[0]
		if v.Status != c.status || !strings.Contains(v.Text, c.text) || !strings.Contains(reads(v), c.reads) {
			t.Errorf("%s: %s (%s), want %s (%s)\n%swant %s", c.expect, v.Status, v.Text, c.status, c.text, reads(v), c.reads)
		}
	}
	if v := judgeTwo(t, `expect("w", cluster = "b", p50 = below(2, of = "a"))`, "", run)[0]; v.Name != "w on b: p50 below 2 x p50 of w on a" {
		t.Errorf("name %q", v.Name)
	}
}

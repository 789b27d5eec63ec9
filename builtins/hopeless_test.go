package builtins_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/builtins"
	"github.com/kvscen/kvscen/internal/result"
)

// hopeless is a scenario of two clusters with an expectation, two repetitions each.
func hopeless(t *testing.T, expect string) *builtins.Scenario {
	t.Helper()
	return built(t, `
def main():
    return scenario(
        clusters = [stores["mem"](label = "a"), stores["mem"](label = "b")],
        phases = [phase("w", put(keys(10).one(), value(1)), requests = 2000, clients = steps([1, 2]))],
        repeat = 2,
        expects = [`+expect+`],
    )
`)
}

// sofar is a run of which so many repetitions of a and b have ended.
func sofar(t *testing.T, a, b int) *result.Run {
	run := twoClusters(t, 15*time.Millisecond, 15*time.Millisecond)
	left := map[string]int{"a": a, "b": b}
	var kept []result.Cluster
	for _, c := range run.Clusters {
		if left[c.Label]--; left[c.Label] >= 0 {
			kept = append(kept, c)
		}
	}
	run.Clusters = kept
	return run
}

// An expectation is given up once it can't be met any more, and no earlier.
func TestHopeless(t *testing.T) {
	for _, c := range []struct {
		expect string
		a, b   int // repetitions that have ended
		want   string
	}{
		{`expect("w", p50 = below(ms))`, 0, 0, ""},
		{`expect("w", p50 = below(ms))`, 1, 0, ""}, // the second may mend it
		{`expect("w", p50 = below(ms))`, 2, 0, `cluster("a").phase("w").p50 = `},
		{`expect("w", cluster = "b", p50 = below(ms))`, 2, 1, ""},
		{`expect("w", cluster = "b", p50 = below(ms))`, 2, 2, `cluster("b").phase("w").p50 = `},
		{`expect("w", max = below(ms))`, 1, 0, `cluster("a").phase("w").max = `}, // the largest never falls
		{`expect("w", ok = below(10))`, 1, 0, `.ok = 10,000`},
		{`expect("w", min = above(minute))`, 1, 0, `.min = `},
		{`expect("w", ok = above(15000))`, 1, 0, ""},
		{`expect("w", cluster = "b", p50 = below(1.2, of = "a"))`, 1, 2, ""}, // a may still become slower
		{`expect("w", cluster = "b", p50 = below(1.2, of = "a"))`, 2, 2, `cluster("b").phase("w").p50`},
		{`expect("w", cluster = "b", p50 = below(2, of = "a"))`, 2, 2, ""},
		{`expect("w", response_p50 = below(ms))`, 1, 0, ""},
		{`expect("w", response_p50 = below(ms))`, 2, 0, "n/a (closed loop)"}, // unknown fails
	} {
		s := hopeless(t, c.expect)
		got := after(s, sofar(t, c.a, c.b), "\n\n\n\n\n\n\n\n\n").Hopeless()
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s after %d and %d: %q, want %q", c.expect, c.a, c.b, got, c.want)
		}
	}
}

// While a step goes on, only what can't recover ends it.
func TestHopelessNow(t *testing.T) {
	ms := time.Millisecond
	for _, c := range []struct {
		expect string
		at     result.Moment
		want   string
	}{
		{`expect("w", failed = below(5))`, result.Moment{Failed: 4}, ""},
		{`expect("w", failed = below(5))`, result.Moment{Failed: 5, StepFailed: 1}, "5 requests have failed"},
		{`expect("w", step = 1, failed = below(5))`, result.Moment{Failed: 9, StepFailed: 4}, ""},
		{`expect("w", step = 1, failed = below(5))`, result.Moment{Failed: 9, StepFailed: 5}, "5 requests have failed"},
		{`expect("w", step = 2, failed = below(5))`, result.Moment{Failed: 9, StepFailed: 9}, ""},
		{`expect("w", cluster = "b", failed = below(5))`, result.Moment{Failed: 9}, ""},
		{`expect("w", failed = above(5))`, result.Moment{Failed: 9}, ""},
		{`expect("w", error_rate = below(0.01))`, result.Moment{Failed: 39}, ""}, // of 2 x 2000
		{`expect("w", error_rate = below(0.01))`, result.Moment{Failed: 40}, "40 of 4000 requests have failed"},
		{`expect("w", step = 1, error_rate = below(0.01))`, result.Moment{StepFailed: 20}, "20 of 2000 requests"},
		{`expect("w", p99 = below(ms))`, result.Moment{Op: "put", Slowest: time.Second}, ""},
		{`expect("w", max = below(ms))`, result.Moment{Op: "put", Slowest: ms}, "a request took 1ms"},
		{`expect("w", service_max = below(ms))`, result.Moment{Op: "put", Slowest: ms}, "a request took 1ms"},
		{`expect("w", service_max = below(ms))`, result.Moment{Op: "put", Slowest: ms, Open: true}, ""},
		{`expect("w", response_max = below(ms))`, result.Moment{Op: "put", Slowest: ms, Open: true}, "a request took 1ms"},
		{`expect("w", max = below(0.5, of = "b"))`, result.Moment{Op: "put", Slowest: ms}, ""},
	} {
		c.at.Cluster, c.at.Phase = "a", "w"
		got := builtins.HopelessNow(hopeless(t, c.expect).Plan, c.at)
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s at %+v: %q, want %q", c.expect, c.at, got, c.want)
		}
	}
}

package compare

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

// build makes a run of some repetitions of one cluster. Each repetition has a
// pace of its own, so that its requests are no independent witnesses; speed
// slows all of them down.
func build(t testing.TB, rng *rand.Rand, label string, repetitions int, slower float64) *result.Run {
	t.Helper()
	r := &result.Run{Schema: result.Schema, Kvscen: "test", Scenario: result.Scenario{Name: "write", Hash: "0123456789abcdef"}}
	for rep := range repetitions {
		pace := slower * math.Exp(0.02*rng.NormFloat64())
		hdr := result.NewHDR()
		h := &result.Hist{Min: math.MaxInt64}
		const requests = 1200
		for range requests {
			ns := int64(1e6 * pace * math.Exp(0.3*rng.NormFloat64()))
			if err := hdr.RecordValue(ns); err != nil {
				t.Fatal(err)
			}
			h.N, h.Sum = h.N+1, h.Sum+uint64(ns)
			h.Min, h.Max = min(h.Min, ns), max(h.Max, ns)
		}
		if err := h.Encode(hdr); err != nil {
			t.Fatal(err)
		}
		counts := result.Counts{Asked: requests, Due: requests, Attempted: requests, OK: requests}
		step := result.Step{
			Clients: 1, Connections: 1, To: time.Duration(h.Sum), Counts: counts, EndedBy: "requests",
			Series: []result.Series{{Op: "put", OK: requests, Written: 1280 * requests, Service: h}},
		}
		r.Clusters = append(r.Clusters, result.Cluster{
			Label: label, Driver: "mem", Repetition: rep, Version: "1",
			Phases: []result.Phase{{Name: "write", Role: "measure", Ops: []result.Op{{Name: "put", Weight: 1}}, Steps: []result.Step{step}}},
		})
	}
	return r
}

func side(name string, runs ...*result.Run) Side { return Side{Name: name, Runs: runs} }

func metricsOf(t *testing.T, c *Comparison) map[string]Line {
	t.Helper()
	byName := map[string]Line{}
	for _, l := range c.Lines {
		byName[l.Metric] = l
	}
	return byName
}

func TestASlowdownOfATenthIsFound(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	c, err := Compare(side("base", build(t, rng, "mem", 10, 1)), side("new", build(t, rng, "mem", 10, 1.1)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	lines := metricsOf(t, c)
	for _, name := range []string{"throughput", "mean", "p50", "p99"} {
		l := lines[name]
		sign := 1.0
		if name == "throughput" {
			sign = -1
		}
		if l.Verdict != Worse || sign*l.Percent() < 6 || sign*l.Percent() > 14 || !l.Delta.apart() {
			t.Errorf("%s: %s, %.1f %% (%v to %v), want worse by about 10 %%", name, l.Verdict, l.Percent(), l.Delta.Low, l.Delta.High)
		}
	}
	if l := lines["error_rate"]; l.Verdict != Same || l.Adjusted != 1 {
		t.Errorf("error_rate: %s with p %g, want no difference", l.Verdict, l.Adjusted)
	}
	if l := lines["server_max_memory"]; l.Verdict != NotKnown || l.Reason == "" {
		t.Errorf("server_max_memory: %s (%s), want n/a and why", l.Verdict, l.Reason)
	}
}

func TestRunsOfOneBuildRarelyDiffer(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const comparisons = 100
	alarms := 0
	for range comparisons {
		c, err := Compare(side("a", build(t, rng, "mem", 6, 1)), side("b", build(t, rng, "mem", 6, 1)), Options{Metrics: []string{"throughput", "mean", "p50", "p99"}})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range c.Lines {
			if l.Verdict == Better || l.Verdict == Worse {
				alarms++
				break
			}
		}
	}
	if most := comparisons * 6 / 100; alarms > most {
		t.Errorf("%d of %d comparisons of the same build raise an alarm, want at most %d", alarms, comparisons, most)
	}
	t.Logf("%d of %d comparisons of the same build raise an alarm", alarms, comparisons)
}

func TestFewRunsGiveNoVerdict(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	c, err := Compare(side("a", build(t, rng, "mem", 3, 1)), side("b", build(t, rng, "mem", 3, 2)), Options{Metrics: []string{"p50"}})
	if err != nil {
		t.Fatal(err)
	}
	l := c.Lines[0]
	if l.Verdict != Unknown || l.Reason != "3 and 3; at least 4 a side are needed" || math.Abs(l.Percent()-100) > 10 {
		t.Errorf("%s (%s) %.0f %%, want that runs are too few, and the difference", l.Verdict, l.Reason, l.Percent())
	}
	if s := c.Summary(); !strings.HasPrefix(s, "Nothing can be said: not enough runs (3 and 3") {
		t.Errorf("summary %q", s)
	}
	cond, err := ParseCondition("p50 > +5%")
	if err != nil {
		t.Fatal(err)
	}
	if violated, undecided := c.Violations([]Condition{cond}); len(violated) != 0 || len(undecided) != 1 {
		t.Errorf("%d violated, %d undecided, want 0 and 1", len(violated), len(undecided))
	}
}

func TestConditionsNeedEffectAndSignificance(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	c, err := Compare(side("a", build(t, rng, "mem", 10, 1)), side("b", build(t, rng, "mem", 10, 1.1)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		text string
		met  bool
	}{
		{"p99 > +5%", true}, {"p99 > +20%", false}, {"throughput < -5%", true}, {"throughput > +1%", false},
		{"mean > +50us", true}, {"mean > +5ms", false}, {"error_rate > +0.001", false}, {"error_rate > +1%", false},
	} {
		cond, err := ParseCondition(test.text)
		if err != nil {
			t.Fatal(err)
		}
		violated, _ := c.Violations([]Condition{cond})
		if got := len(violated) == 1; got != test.met {
			t.Errorf("%q is met: %v, want %v", test.text, got, test.met)
		}
	}
}

func TestParseConditionRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "not of the form",
		"p99 > 5%":            "not of the form",
		"p99 > -5%":           "a rise is > +BOUND",
		"throughput < +5%":    "a rise is > +BOUND",
		"speed > +5%":         "there is no metric speed",
		"p99 > +5.5.5%":       "is no number",
		"p99 > +5parsecs":     "is no duration",
		"throughput < -5ms":   "takes a number or %",
		"p99 > +5% and so on": "not of the form",
	} {
		if _, err := ParseCondition(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("condition %q: error %v, want %q in it", text, err, want)
		}
	}
}

func FuzzParseCondition(f *testing.F) {
	f.Add("p99 > +5%")
	f.Add("throughput < -3")
	f.Add("p99.9 > +1h")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseCondition(text)
		if err == nil && (math.IsNaN(c.Bound) || c.Rise != (c.Bound > 0 || c.Bound == 0 && strings.Contains(text, ">"))) {
			t.Errorf("condition %q is read as %+v", text, c)
		}
	})
}

func TestClustersArePaired(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	old, young := build(t, rng, "etcd-3.4", 1, 1), build(t, rng, "etcd-3.7", 1, 1)
	c, err := Compare(side("a", old), side("b", young), Options{Metrics: []string{"p50"}})
	if err != nil || len(c.Lines) != 1 || c.Lines[0].Cluster != "etcd-3.4 -> etcd-3.7" {
		t.Errorf("one cluster a side: %+v, %v", c, err)
	}
	both := build(t, rng, "zookeeper", 1, 1)
	if _, err := Compare(side("a", old, both), side("b", young), Options{}); err == nil || !strings.Contains(err.Error(), "no phase on a cluster in common") {
		t.Errorf("nothing in common: %v", err)
	}
	c, err = Compare(side("a", old, both), side("b", young), Options{Metrics: []string{"p50"}, Pairs: map[string]string{"etcd-3.4": "etcd-3.7"}})
	if err != nil || len(c.Lines) != 1 || len(c.Warnings) == 0 {
		t.Errorf("a given pair: %+v, %v", c, err)
	}
	if _, err := Compare(side("a", old), side("b", young), Options{Pairs: map[string]string{"etcd": "etcd-3.7"}}); err == nil || !strings.Contains(err.Error(), `a has no cluster "etcd"`) {
		t.Errorf("a pair of a label that is not there: %v", err)
	}
}

func TestOtherDifferencesAreWarnedOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	a, b := build(t, rng, "mem", 1, 1), build(t, rng, "mem", 1, 1)
	b.Environment.Kernel, b.Clusters[0].Version, b.Status, b.Reason = "6.1", "2", result.StatusRun, "a member died"
	b.Scenario.Params = []result.Param{{Name: "nodes", Value: "5"}}
	twin := result.Machine{Name: "h1", OS: "linux/amd64", CPU: "fast", Cores: 8}
	other := twin
	other.Name, other.CPU = "h2", "slow"
	a.Clusters[0].Machines = []result.Machine{twin}
	twin.Name = "h3"
	b.Clusters[0].Machines = []result.Machine{twin, other}
	c, err := Compare(side("a", a), side("b", b), Options{Metrics: []string{"p50"}})
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(c.Warnings, "\n")
	for _, want := range []string{
		"the kernel differs: unknown against 6.1", "the version of a store differs: mem 1 against mem 2",
		"a run of b ended with status 4: a member died", "a parameter differs: nothing else against nodes = 5",
		"a host differs: nothing else against linux/amd64, kernel , slow, 8 cores",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("warnings:\n%s\nwant %q", all, want)
		}
	}
}

func TestOpen(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	dir := t.TempDir()
	for _, name := range []string{"1", "2"} {
		folder := filepath.Join(dir, name)
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := result.Save(folder, build(t, rng, "mem", 1, 1)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "plots"), 0o755); err != nil {
		t.Fatal(err)
	}
	if s, err := Open(dir); err != nil || len(s.Runs) != 2 {
		t.Errorf("a folder of two: %d runs, %v", len(s.Runs), err)
	}
	if s, err := Open(filepath.Join(dir, "1")); err != nil || len(s.Runs) != 1 {
		t.Errorf("a result: %d runs, %v", len(s.Runs), err)
	}
	if _, err := Open(filepath.Join(dir, "plots")); err == nil || !strings.Contains(err.Error(), "no result in") {
		t.Errorf("a folder without one: %v", err)
	}
	if _, err := Open(filepath.Join(dir, "3")); err == nil || !strings.Contains(err.Error(), "there is no folder") {
		t.Errorf("no folder: %v", err)
	}
	other := build(t, rng, "mem", 1, 1)
	other.Scenario.Hash = "fedcba9876543210"
	if err := result.Save(filepath.Join(dir, "plots"), other); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "different plans") {
		t.Errorf("runs of different plans: %v", err)
	}
}

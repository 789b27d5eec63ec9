package result

import (
	"strings"
	"testing"
	"time"
)

// testStep has one put series of n requests in W from..to, and columns of ok
// requests from the second that the step begins in.
func testStep(t *testing.T, from, to time.Duration, values []int64, seconds ...uint32) Step {
	n := uint64(len(values))
	return Step{
		From: from, To: to, Clients: 1, Connections: 1,
		Counts: Counts{Due: n, Attempted: n, OK: n},
		Series: []Series{{
			Op: "put", OK: n, Written: n * 100, Service: histOf(t, values),
			Seconds: Seconds{Start: from.Truncate(time.Second), Step: time.Second, OK: seconds},
		}},
	}
}

func testRun(steps ...[]Step) *Run {
	r := &Run{Schema: Schema, Kvscen: "test"}
	for i, s := range steps {
		r.Clusters = append(r.Clusters, Cluster{Label: "etcd", Repetition: i, Phases: []Phase{
			{Name: "write", Role: "measure", Ops: []Op{{Name: "put"}}, Steps: s},
		}})
	}
	return r
}

func all() Selection {
	return Selection{Cluster: "etcd", Phase: "write", Repetition: Merged, Step: Merged}
}

func view(t *testing.T, r *Run, s Selection) *View {
	t.Helper()
	v, err := r.View(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func wantMetrics(t *testing.T, v *View, want map[string]Number) {
	t.Helper()
	for name, n := range want {
		if got := v.Metric(name); got != n {
			t.Errorf("%s is %+v, want %+v", name, got, n)
		}
	}
}

func TestViewMergesStepsAndRepetitions(t *testing.T) {
	const s = time.Second
	r := testRun(
		[]Step{testStep(t, 500*time.Millisecond, 3500*time.Millisecond, upTo(1000), 1, 300, 400, 5), testStep(t, 10*s, 12*s, upTo(500), 250, 250)},
		[]Step{testStep(t, 0, 2*s, upTo(2000), 900, 1100)},
	)
	wantMetrics(t, view(t, r, all()), map[string]Number{
		"requests": Known(3500), "ok": Known(3500), "failed": Known(0), "seconds": Known(7), "throughput": Known(500),
		"max_throughput": Known(1100), "min_throughput": Known(250), // 1 and 5 are of seconds that W cuts
		"max": Known(2000), "min": Known(1), "written_bytes": Known(350_000), "error_rate": Known(0),
		"write_throughput": Known(50_000), "read_throughput": Known(0),
		"response.p50": NA("closed loop"), "lag.p50": NA("closed loop"), "charged.p50": NA("closed loop"), "failed.p50": NA("none failed"),
		"server_max_cpu": NA("not sampled"), "nonsense": NA("no such metric: nonsense"),
	})
	one := all()
	one.Repetition, one.Step = 0, 1
	wantMetrics(t, view(t, r, one), map[string]Number{"ok": Known(500), "max": Known(500), "mean": Known(250.5), "throughput": Known(250)})

	// The merged p99 is that of all values, not a mean of 990, 495 and 1980.
	merged := append(append(upTo(1000), upTo(500)...), upTo(2000)...)
	if got, want := view(t, r, all()).Metric("p99"), histOf(t, merged).Percentile(99); got != want {
		t.Errorf("p99 is %+v, of all values it is %+v", got, want)
	}
	runs, err := r.Runs(all())
	if err != nil || len(runs) != 2 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	if lowest, highest := Spread(runs, "throughput"); lowest != Known(300) || highest != Known(1000) {
		t.Errorf("throughput is spread from %+v to %+v", lowest, highest)
	}
	if lowest, _ := Spread(runs, "p99.9"); lowest.OK() {
		t.Errorf("p99.9 over runs is %+v though one run can't tell", lowest)
	}
}

func TestFullSeconds(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	for name, c := range map[string]struct {
		from, to  time.Duration
		seconds   []uint32
		max, min  Number
		secondsAt time.Duration
	}{
		"shorter than a second":    {0, 900 * ms, []uint32{9}, NA("no full second"), NA("no full second"), 0},
		"across a border":          {500 * ms, 1400 * ms, []uint32{9, 9}, NA("no full second"), NA("no full second"), 0},
		"exactly one":              {0, s, []uint32{9}, Known(9), Known(9), 0},
		"cut at both ends":         {1 * ms, 3999 * ms, []uint32{1, 7, 8, 2}, Known(8), Known(7), 0},
		"a second without columns": {0, 4 * s, []uint32{5, 6}, Known(6), Known(0), 0},
		"no columns":               {0, 4 * s, nil, NA("no full second"), NA("no full second"), 0},
		"columns off the second":   {300 * ms, 2300 * ms, []uint32{4, 5, 6}, Known(5), Known(4), 300 * ms},
	} {
		step := testStep(t, c.from, c.to, upTo(10), c.seconds...)
		step.Series[0].Seconds.Start = c.secondsAt
		v := view(t, testRun([]Step{step}), all())
		if v.MaxThroughput != c.max || v.MinThroughput != c.min {
			t.Errorf("%s: %+v and %+v, want %+v and %+v", name, v.MaxThroughput, v.MinThroughput, c.max, c.min)
		}
	}
}

func TestNothingOK(t *testing.T) {
	step := testStep(t, 0, 3*time.Second, nil, 0, 0, 0)
	step.Counts = Counts{Due: 20, Attempted: 20, Failed: 20}
	step.Failed = histOf(t, upTo(20))
	v := view(t, testRun([]Step{step}), all())
	nothing := NA("nothing ok")
	wantMetrics(t, v, map[string]Number{
		"throughput": nothing, "max_throughput": nothing, "min_throughput": nothing, "mean": nothing, "min": nothing, "p99": nothing, "service.max": nothing,
		"error_rate": Known(1), "failed": Known(20), "failed.p50": Known(10), "failed.max": Known(20),
	})
}

// openStep is a mix of 100 puts and 100 gets with a schedule, 50 requests missed.
func openStep(t *testing.T) Step {
	step := testStep(t, 0, 2*time.Second, upTo(100), 50, 50)
	get := step.Series[0]
	get.Op, get.Failed, get.Written, get.Read = "get", 4, 0, 5000
	step.Series = append(step.Series, get)
	step.Open, step.Rate = true, "100/s"
	for i := range step.Series {
		step.Series[i].Response = histOf(t, upTo(100))
	}
	step.Counts = Counts{Due: 254, Attempted: 204, OK: 200, Failed: 4, Missed: 50}
	missed := make([]int64, 50)
	for i := range missed {
		missed[i] = 1_000_000
	}
	step.Missed, step.Lag = histOf(t, missed), histOf(t, upTo(204))
	return step
}

func TestMissedAreCharged(t *testing.T) {
	r := testRun([]Step{openStep(t)})
	r.Clusters[0].Phases[0].Ops = []Op{{Name: "put"}, {Name: "get"}}
	v := view(t, r, all())
	wantMetrics(t, v, map[string]Number{
		"missed": Known(50), "requests": Known(204), "response.p50": Known(50), "p50": Known(50), "response.max": Known(100),
		"charged.p50": Known(63), "charged.max": Known(1_000_000), "lag.p50": Known(102), "max_throughput": Known(100),
	})
	if got := v.Metric("charged.p90"); got.V < 999_000 {
		t.Errorf("charged p90 is %+v: the missed are not in it", got)
	}
}

func TestViewOfOneOperation(t *testing.T) {
	r := testRun([]Step{openStep(t)})
	r.Clusters[0].Phases[0].Ops = []Op{{Name: "put"}, {Name: "get"}}
	s := all()
	s.Op = "get"
	wantMetrics(t, view(t, r, s), map[string]Number{
		"ok": Known(100), "failed": Known(4), "requests": Known(104), "read_bytes": Known(5000), "written_bytes": Known(0),
		"read_throughput": Known(2500), "write_throughput": Known(0),
		"missed": Known(50), "charged.p50": NA("missed of all operations"), "max_throughput": Known(50), "throughput": Known(50),
	})
}

func TestMissedWithoutTimes(t *testing.T) {
	step := openStep(t)
	step.Missed = nil
	v := view(t, testRun([]Step{step}), all())
	wantMetrics(t, v, map[string]Number{"charged.p50": NA("missed not timed"), "response.p50": Known(50)})
}

func TestViewOfWhatIsNotThere(t *testing.T) {
	r := testRun([]Step{testStep(t, 0, time.Second, upTo(5))})
	for want, s := range map[string]Selection{
		`no cluster "zoo" in the result: there is etcd`:  {Cluster: "zoo", Phase: "write", Repetition: Merged, Step: Merged},
		`no phase "read" in the result: there is write`:  {Cluster: "etcd", Phase: "read", Repetition: Merged, Step: Merged},
		`no operation "get" in the result: there is put`: {Cluster: "etcd", Phase: "write", Repetition: Merged, Step: Merged, Op: "get"},
		`cluster etcd has no repetition 3: there are 1`:  {Cluster: "etcd", Phase: "write", Repetition: 3, Step: Merged},
		`phase write on etcd has no step 2: there are 1`: {Cluster: "etcd", Phase: "write", Repetition: Merged, Step: 1},
		`phase write on etcd has no step 8: there are 1`: {Cluster: "etcd", Phase: "write", Repetition: 0, Step: 7, Op: "put"},
		`no cluster "" in the result: there is etcd`:     {},
	} {
		if _, err := r.View(s); err == nil || err.Error() != want {
			t.Errorf("%+v: error %v, want %s", s, err, want)
		}
	}
	if _, err := new(Run).View(all()); err == nil || !strings.Contains(err.Error(), "there is none") {
		t.Errorf("of an empty run: %v", err)
	}
}

func TestEveryMetricIsKnownByName(t *testing.T) {
	v := view(t, testRun([]Step{openStep(t)}), all())
	seen := map[string]bool{}
	for _, m := range Metrics() {
		if seen[m.Name] || m.Unit == "" || m.Doc == "" {
			t.Errorf("metric %+v is listed twice or incomplete", m)
		}
		seen[m.Name] = true
		if got := v.Metric(m.Name); strings.HasPrefix(got.Reason, "no such metric") {
			t.Errorf("metric %s: %s", m.Name, got.Reason)
		}
	}
	for _, name := range []string{"p0", "p100", "p-1", "pNaN", "p", "lag.", "", "response", "throughput.p50"} {
		if got := v.Metric(name); !strings.HasPrefix(got.Reason, "no such metric") {
			t.Errorf("metric %q is %+v", name, got)
		}
	}
	if got := v.Metric("lag.p87.5"); !got.OK() {
		t.Errorf("any percentile is a metric: %+v", got)
	}
}

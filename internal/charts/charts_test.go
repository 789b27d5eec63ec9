package charts

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

var nan = math.NaN()

func hist(t *testing.T, n int, ns int64) *result.Hist {
	t.Helper()
	hdr := result.NewHDR()
	h := &result.Hist{N: uint64(n), Min: ns, Max: ns + int64(n) - 1}
	for i := range n {
		if err := hdr.RecordValue(ns + int64(i)); err != nil {
			t.Fatal(err)
		}
		h.Sum += uint64(ns) + uint64(i)
	}
	if err := h.Encode(hdr); err != nil {
		t.Fatal(err)
	}
	return h
}

func seconds(start time.Duration, ok []uint32, mean ...float64) result.Seconds {
	return result.Seconds{
		Start: start, Step: time.Second, OK: ok, Failed: make([]uint32, len(ok)), Mean: mean, P50: mean, P99: mean, P999: mean, Max: mean,
		Bins: [][][2]uint32{{{80, 3}}, {}, {{80, 1}, {84, 2}}},
	}
}

// ranges are of two thousand requests after those of the steps before; none of
// the first thousand was ok in the second step.
func ranges(clients int) *result.Ranges {
	if clients == 1 {
		return &result.Ranges{Width: 1000, OK: []uint32{500, 500}, Min: result.Values{1e6, 2e6}, Mean: result.Values{3e6, 4e6}, Max: result.Values{5e6, 6e6}}
	}
	return &result.Ranges{First: 2000, Width: 1000, OK: []uint32{0, 1}, Min: result.Values{nan, 7e6}, Mean: result.Values{nan, 7e6}, Max: result.Values{nan, 7e6}}
}

// runOf is two operations on one cluster, three seconds of which one is empty.
func runOf(t *testing.T) *result.Run {
	t.Helper()
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	step := func(clients int, from time.Duration) result.Step {
		return result.Step{
			Clients: clients, Connections: 1, From: from, To: from + 3*time.Second, Counts: result.Counts{Attempted: 2000, OK: 2000},
			Series: []result.Series{
				{Op: "put", OK: 1000, Service: hist(t, 1000, 1e6), Ranges: ranges(clients), Seconds: seconds(from, []uint32{3, 0, 3}, 2e6, nan, 4e6)},
				{Op: "get", OK: 1000, Service: hist(t, 1000, 2e6), Seconds: seconds(from, []uint32{1, 0, 1}, 6e6, nan, 8e6)},
			},
		}
	}
	return &result.Run{Clusters: []result.Cluster{{
		Label:  "etcd",
		Events: []result.Event{{At: start.Add(time.Second), Member: "m1", Kind: "leader"}, {At: start.Add(-time.Second), Kind: "died"}},
		Phases: []result.Phase{{
			Logged: []result.Logged{
				{At: start.Add(2100 * time.Millisecond), Member: "m2", Label: "snapshots", Count: 1},
				{At: start.Add(2900 * time.Millisecond), Member: "m1", Label: "snapshots", Count: 2},
				{At: start.Add(4 * time.Second), Member: "m1", Label: "snapshots", Count: 1},
				{At: start.Add(4 * time.Second), Member: "m1", Label: "elections", Count: 1, AtRead: true},
				{At: start.Add(-time.Second), Member: "m1", Label: "elections", Count: 1},
			},
			Name: "mixed", Start: start, Ops: []result.Op{{Name: "put"}, {Name: "get"}},
			Steps: []result.Step{step(1, 0), step(10, 10*time.Second)},
			Samples: result.Samples{Step: time.Second, Tracks: []result.Track{
				{Source: "member:m1", Name: "cpu_percent", Values: result.Values{10, 20, nan}},
				{Source: "member:m2", Name: "cpu_percent", Values: result.Values{30, 60, 90}},
				{Source: "client", Name: "cpu_percent", Values: result.Values{5, 5, 5}},
				{Source: "member:m1", Name: "rss_bytes", Values: result.Values{nan, nan, nan}},
			}},
		}},
	}}}
}

func chart(t *testing.T, list []Chart, name string) *Chart {
	t.Helper()
	i := slices.IndexFunc(list, func(c Chart) bool { return c.Name == "mixed-"+name })
	if i < 0 {
		t.Fatalf("there is no chart %q", name)
	}
	return &list[i]
}

func ys(l Line) []float64 {
	var list []float64
	for _, p := range l.XY {
		list = append(list, p.Y)
	}
	return list
}

func same(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) < 1e-9 })
}

func TestChartsOfARun(t *testing.T) {
	list, err := Of(runOf(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]float64{
		"throughput":      {4, 0, 4, nan, 4, 0, 4},       // a gap between the steps
		"latency-mean":    {3, nan, 5, nan, 3, nan, 5},   // weighted by requests
		"latency-p99-get": {6, nan, 8, nan, 6, nan, 8},   // of one operation
		"server-cpu-mean": {20, 40, nan},                 // unknown where one is
		"server-cpu-max":  {30, 60, nan},                 //
		"client-cpu":      {5, 5, 5},                     //
		"clients-p99":     {0, 0}, "percentiles": {0, 0}, // shape alone, see below
	} {
		got := ys(chart(t, list, name).Lines[0])
		if want[0] == 0 {
			if len(got) < len(want) || !(got[0] > 0) {
				t.Errorf("%s: %v", name, got)
			}
			continue
		}
		if !same(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	for _, absent := range []string{"server-rss", "failed", "disk-writes"} { // no data, or nothing to tell
		if slices.ContainsFunc(list, func(c Chart) bool { return c.Name == "mixed-"+absent }) {
			t.Errorf("there is a chart %s without data", absent)
		}
	}
	want := []Event{
		{At: 1, Text: "etcd: leader m1"},
		{At: 2.1, Text: "etcd: snapshots in the log of m1, m2, 3 times"},
		{At: 4, Text: "etcd: snapshots in the log of m1"},
	}
	if events := chart(t, list, "throughput").Events; !slices.Equal(events, want) {
		t.Errorf("events %+v, want %+v", events, want)
	}
	for _, c := range list {
		if c.Column == "" || c.Title == "" || c.X.Label == "" || c.Y.Label == "" {
			t.Errorf("chart %s lacks a column, a title or a label: %+v", c.Name, c)
		}
	}
}

func TestByKey(t *testing.T) {
	list, err := Of(runOf(t))
	if err != nil {
		t.Fatal(err)
	}
	c := chart(t, list, "latency-by-key-put")
	got := c.Lines[0].XY
	if !same(ys(c.Lines[0]), []float64{3, 4, nan, 7}) || got[1].X != 2000 || got[1].Low != 2 || got[1].High != 6 || got[3].X != 4000 {
		t.Errorf("points %+v", got)
	}
	if text, err := json.Marshal(got[1:3]); err != nil || string(text) != "[[2000,4,2,6],[3000,null]]" {
		t.Errorf("as JSON: %s, %v", text, err)
	}
}

func TestHeat(t *testing.T) {
	list, err := Of(runOf(t))
	if err != nil {
		t.Fatal(err)
	}
	h := chart(t, list, "heat-etcd-put").Heat
	if h.Low != 80 || h.Step != 1 || len(h.Counts) != 13 {
		t.Fatalf("heat of %d columns from bin %d, step %g", len(h.Counts), h.Low, h.Step)
	}
	var n uint
	for _, column := range h.Counts {
		for _, c := range column {
			n += c
		}
	}
	if n != 12 || h.Counts[2][4] != 2 {
		t.Errorf("%d requests, %d of them in the slow bin of the third second; want 12 and 2", n, h.Counts[2][4])
	}
}

func TestSharesEndAtOne(t *testing.T) {
	list, err := Of(runOf(t))
	if err != nil {
		t.Fatal(err)
	}
	got := ys(chart(t, list, "ecdf").Lines[0])
	if !slices.IsSorted(got) || got[len(got)-1] != 1 || len(got) > MaxPoints {
		t.Errorf("%d shares from %g to %g", len(got), got[0], got[len(got)-1])
	}
}

func TestEnvelopeKeepsPeaksAndGaps(t *testing.T) {
	const n = 100_000
	xy := make([]XY, n)
	for i := range xy {
		xy[i] = point(float64(i), 5)
		if i >= 50_000 && i < 60_000 {
			xy[i].Y = nan
		}
	}
	xy[12_345].Y, xy[77_777].Y = 1000, -1000
	out := Envelope(xy)
	if len(out) > MaxPoints {
		t.Fatalf("%d points, want at most %d", len(out), MaxPoints)
	}
	low, high, gaps := 0.0, 0.0, 0
	for i, p := range out {
		if i > 0 && p.X <= out[i-1].X {
			t.Fatalf("X does not rise at %d", i)
		}
		if math.IsNaN(p.Y) {
			gaps++
			continue
		}
		low, high = min(low, p.Y), max(high, p.Y)
	}
	if low != -1000 || high != 1000 || gaps == 0 {
		t.Errorf("values from %g to %g with %d gaps, want the peaks and some", low, high, gaps)
	}
}

func TestNothingMeasuredGivesNoChart(t *testing.T) {
	for name, r := range map[string]*result.Run{
		"no cluster": {}, "no phase": {Clusters: []result.Cluster{{Label: "etcd"}}},
		"no step":    {Clusters: []result.Cluster{{Label: "etcd", Phases: []result.Phase{{Name: "w"}}}}},
		"nothing ok": {Clusters: []result.Cluster{{Label: "etcd", Phases: []result.Phase{{Name: "w", Steps: []result.Step{{Series: []result.Series{{Op: "put"}}}}}}}}},
	} {
		if list, err := Of(r); err != nil || len(list) != 0 {
			t.Errorf("%s: %d charts, %v", name, len(list), err)
		}
	}
}

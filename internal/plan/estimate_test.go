package plan

import (
	"math"
	"testing"
	"time"
)

func closed(clients int, requests uint64) Step {
	return Step{Clients: clients, Connections: clients, Requests: requests}
}

func TestStepSeconds(t *testing.T) {
	nominal := Nominal{Latency: 2 * time.Millisecond, Throughput: 5000}
	constant := Rate{From: 100, To: 100}
	ramp := Rate{From: 0, To: 100, Over: 10 * time.Second} // 500 requests in the ramp
	for _, c := range []struct {
		name string
		step Step
		want float64
	}{
		{"one client waits for each answer", closed(1, 1000), 2},
		{"ten clients", closed(10, 1000), 0.2},
		{"the cluster is busy", closed(1000, 10_000), 2},
		{"constant rate", Step{Clients: 9, Rate: constant, Requests: 1000}, 10},
		{"duration", Step{Clients: 9, Duration: 7 * time.Second}, 7},
		{"duration first", Step{Clients: 9, Rate: constant, Requests: 1000, Duration: 4 * time.Second}, 4},
		{"requests first", Step{Clients: 9, Rate: constant, Requests: 100, Duration: 4 * time.Second}, 1},
		{"beyond the ramp", Step{Clients: 9, Rate: ramp, Requests: 600}, 11},
		{"within the ramp", Step{Clients: 9, Rate: ramp, Requests: 125}, 5},
		{"level ramp", Step{Clients: 9, Rate: Rate{From: 50, To: 50, Over: time.Minute}, Requests: 100}, 2},
		{"no end", Step{Clients: 9}, math.Inf(1)},
	} {
		if got := c.step.seconds(nominal); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v s, want %v", c.name, got, c.want)
		}
	}
	if got := (&Step{Clients: 1, Requests: 5}).seconds(Nominal{}); !math.IsInf(got, 1) {
		t.Errorf("without nominal figures: %v s", got)
	}
}

func TestRateDueAndUntilAgree(t *testing.T) {
	for _, r := range []Rate{{From: 100, To: 100}, {From: 10, To: 200, Over: 7 * time.Second}, {From: 200, To: 10, Over: 7 * time.Second}, {To: 50, Over: time.Second}} {
		for n := 1.0; n < 3000; n *= 3 {
			if got := r.due(r.until(n)); math.Abs(got-n) > 1e-6*n {
				t.Errorf("%+v: %v requests are due after the time for %v", r, got, n)
			}
		}
	}
}

func put(weight float64) Op {
	return Op{Kind: "put", Weight: weight, Draw: Draw{Order: OrderSequential}, Value: &Value{Size: Size{Kind: "fixed", A: 900}}}
}

func sample() *Plan {
	cluster := func(label string) Cluster {
		return Cluster{
			Label: label, Driver: "etcd", Version: "3.7.3", Nodes: []Node{{Name: "a"}, {Name: "b"}}, Target: "all",
			Overhead: 2, Memory: 3, Nominal: Nominal{Latency: time.Millisecond, Throughput: 1000}, ReadyWithin: time.Minute,
		}
	}
	groups := func() []Group {
		return []Group{
			{Phases: []Phase{{Name: "write", Ops: []Op{put(1)}, Steps: []Step{closed(1, 1000), closed(9, 1000)}, Requests: 2000, Timeout: time.Second, MaxErrors: -1, Role: Measure}}},
			{Phases: []Phase{
				{Name: "mixed", Ops: []Op{{Kind: "get", Weight: 0.75, Draw: Draw{Order: OrderUniform}}, put(0.25)}, Steps: []Step{{Clients: 2, Connections: 1, Duration: 4 * time.Second, Rate: Rate{From: 100, To: 100}}}, Timeout: time.Second, MaxErrors: -1, Role: Measure},
				{Name: "beside", Background: true, Ops: []Op{{Kind: "get", Weight: 1, Draw: Draw{Order: OrderOne}}}, Steps: []Step{{Clients: 1, Connections: 1, Rate: Rate{From: 10, To: 10}}}, Timeout: time.Second, MaxErrors: -1, Role: Measure},
			}},
		}
	}
	return &Plan{
		Name: "sample", Seed: 1, Repeat: 2, Order: Sequential,
		Keys: []Keys{{Count: 2000, Size: 100, Encoding: "decimal"}},
		Runs: []Run{{cluster("a"), groups()}, {cluster("b"), groups()}},
	}
}

func TestEstimate(t *testing.T) {
	e := sample().Estimate()
	c := e.Clusters[0]
	if c.Steps != 4 || c.Requests != 2000+400+40 || c.Members != 2 {
		t.Errorf("cluster: %+v", c)
	}
	if want := int64(2000*1000 + 100*1000); c.Payload != want || c.Disk != want*2*2 {
		t.Errorf("payload %d and disk %d, want %d and %d", c.Payload, c.Disk, want, want*4)
	}
	// The second phase writes no keys that are not there.
	if want := int64(2000 * 1000 * 3 * 2); c.Memory != want {
		t.Errorf("memory %d, want %d", c.Memory, want)
	}
	p := sample()
	p.Runs[0].Cluster.Nodes[1].Host = &Host{Addr: "elsewhere"}
	if got, want := p.Estimate().Clusters[0].Memory, int64(2000*1000*3); got != want {
		t.Errorf("memory on this machine, with a member elsewhere: %d, want %d", got, want)
	}
	if want := 6 * time.Second; c.Time != want || e.Time != 4*want {
		t.Errorf("time %v and %v, want %v and %v", c.Time, e.Time, want, 4*want)
	}
	if e.Requests != 4*2440 || e.Disk != c.Disk {
		t.Errorf("whole: %+v", e)
	}
	const want = "2 members of etcd 3.7.3 (a), 4 steps; 2 members of etcd 3.7.3 (b), 4 steps; together 9,760 requests, about 24 s, 8 MB of disk"
	if got := e.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestEstimateWithoutFigures(t *testing.T) {
	p := sample()
	p.Runs = p.Runs[:1]
	p.Repeat = 1
	k := &p.Runs[0].Cluster
	k.Nodes, k.Endpoints, k.Version, k.Nominal = nil, []string{"x"}, "", Nominal{}
	const want = "1 member of etcd (a), 4 steps, 2,440 requests, for a time that can't be foretold"
	if got := p.Estimate().String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestFreshEmptiesTheDisk(t *testing.T) {
	p := sample()
	p.Runs[0].Groups = append(p.Runs[0].Groups, p.Runs[0].Groups[0])
	together := p.Estimate().Clusters[0].Disk
	second := p.Runs[0].Groups[2].Phases[0]
	second.Fresh = true
	p.Runs[0].Groups[2] = Group{Phases: []Phase{second}}
	if apart := p.Estimate().Clusters[0].Disk; apart >= together {
		t.Errorf("a fresh cluster needs %d bytes, one that goes on %d", apart, together)
	}
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		size      Size
		mean, max float64
	}{
		{Size{Kind: "fixed", A: 5}, 5, 5},
		{Size{Kind: "uniform", A: 2, B: 4}, 3, 4},
		{Size{Kind: "normal", A: 10, B: 2}, 10, 16},
		{Size{Kind: "histogram", Sizes: []int{2, 10}, Weights: []float64{0.75, 0.25}}, 4, 10},
	} {
		if c.size.Mean() != c.mean || c.size.Max() != c.max {
			t.Errorf("%+v: mean %v, max %v", c.size, c.size.Mean(), c.size.Max())
		}
	}
	if got := (Keys{Size: 5, Parent: "ab"}).Bytes(); got != 8 {
		t.Errorf("a key below a parent has %d bytes, want 8", got)
	}
}

func TestWords(t *testing.T) {
	for n, want := range map[uint64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := commas(n); got != want {
			t.Errorf("commas(%d) = %s, want %s", n, got, want)
		}
	}
	for bytes, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1 kB", 999_600: "1 MB", 8_064_000_000: "8 GB", 25e12: "25 TB", 25e15: "25000 TB"} {
		if got := roughly(bytes); got != want {
			t.Errorf("roughly(%d) = %s, want %s", bytes, got, want)
		}
	}
	for d, want := range map[time.Duration]string{0: "for a time that can't be foretold", 1100 * time.Millisecond: "about 2 s", 537 * time.Second: "about 9 min", 5 * time.Hour: "about 5 h"} {
		if got := about(d); got != want {
			t.Errorf("about(%v) = %s, want %s", d, got, want)
		}
	}
}

package plan

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestNoProblems(t *testing.T) {
	if got := sample().Problems(); len(got) > 0 {
		t.Errorf("problems: %+v", got)
	}
}

func TestProblems(t *testing.T) {
	phase := func(p *Plan) *Phase { return &p.Runs[0].Groups[0].Phases[0] }
	cluster := func(p *Plan) *Cluster { return &p.Runs[0].Cluster }
	for _, c := range []struct {
		arg, text string
		change    func(*Plan)
	}{
		{"repeat", "between 1 and", func(p *Plan) { p.Repeat = 0 }},
		{"order", "got \"random\"", func(p *Plan) { p.Order = "random" }},
		{"label", "another cluster called", func(p *Plan) { p.Runs[1].Cluster.Label = "a" }},
		{"label", "may hold letters", func(p *Plan) { cluster(p).Label = "a/b" }},
		{"nodes", "no node and no endpoint", func(p *Plan) { cluster(p).Nodes = nil }},
		{"ready_within", "above zero", func(p *Plan) { cluster(p).ReadyWithin = 0 }},
		{"endpoints", "is empty", func(p *Plan) { cluster(p).Endpoints = []string{""} }},
		{"", "must not be negative", func(p *Plan) { cluster(p).Overhead = -1 }},
		{"target", "no member \"c\", but a, b", func(p *Plan) { cluster(p).Target = "a,c" }},
		{"process", "of a cluster that runs already: give its endpoints", func(p *Plan) { cluster(p).Watch = &Watch{Process: "etcd"} }},
		{"process", "either by process", func(p *Plan) { *cluster(p) = running(Watch{Logs: []string{"/log"}}) }},
		{"process", "either by process", func(p *Plan) { *cluster(p) = running(Watch{Process: "etcd", PIDFiles: []string{"/pid"}}) }},
		{"hosts", "there are 3 endpoints, so give one for each or one for all, got 2", func(p *Plan) {
			*cluster(p) = running(Watch{Process: "etcd", Hosts: make([]Host, 2)})
		}},
		{"data", "want an absolute path, got \"etcd\"", func(p *Plan) {
			*cluster(p) = running(Watch{Process: "etcd", Data: []string{"/etcd", "etcd", "/etcd"}})
		}},
		{"name", "another node called", func(p *Plan) { cluster(p).Nodes[1].Name = "a" }},
		{"argv", "is empty", func(p *Plan) { cluster(p).Nodes[0].Processes = []Process{{Name: "p"}} }},
		{"after", "no process \"q\"", func(p *Plan) {
			cluster(p).Nodes[0].Processes = []Process{{Name: "p", Argv: []string{"x"}, After: []string{"q"}}}
		}},
		{"regexp", "missing closing", func(p *Plan) { cluster(p).Markers = []Marker{{Regexp: "("}} }},
		{"count", "at least 1", func(p *Plan) { p.Keys[0].Count = 0 }},
		{"size", "got 0", func(p *Plan) { p.Keys[0].Size = 0 }},
		{"size", "need 4 decimal digits after the prefix, size 5 leaves 3", func(p *Plan) { p.Keys[0].Size, p.Keys[0].Prefix = 5, "ab" }},
		{"size", "need 3 hex digits", func(p *Plan) { p.Keys[0].Size, p.Keys[0].Encoding = 2, "hex" }},
		{"size", "would not all differ", func(p *Plan) { p.Keys[0].Size, p.Keys[0].Encoding = 4, "random" }},
		{"encoding", "\"octal\"", func(p *Plan) { p.Keys[0].Encoding = "octal" }},
		{"name", "another phase called", func(p *Plan) { p.Runs[0].Groups[1].Phases[0].Name = "write" }},
		{"name", "at least one", func(p *Plan) { phase(p).Name = "" }},
		{"timeout", "above zero", func(p *Plan) { phase(p).Timeout = 0 }},
		{"role", "got \"x\"", func(p *Plan) { phase(p).Role = "x" }},
		{"max_errors", "a share below 1", func(p *Plan) { phase(p).MaxErrors = math.NaN() }},
		{"max_errors", "a whole number from 1 on, got 1.5", func(p *Plan) { phase(p).MaxErrors = 1.5 }},
		{"label", "takes 101 bytes, at most 100", func(p *Plan) { cluster(p).Label = strings.Repeat("a", 101) }},
		{"requests", "1 requests can't be shared out over 2 steps", func(p *Plan) { phase(p).Requests = 1 }},
		{"ops", "no operation", func(p *Plan) { phase(p).Ops = nil }},
		{"ops", "weights add up to 2", func(p *Plan) { phase(p).Ops = []Op{put(1), put(1)} }},
		{"ops", "above zero, got 0", func(p *Plan) { phase(p).Ops = append(phase(p).Ops, put(0)) }},
		{"clients", "no step", func(p *Plan) { phase(p).Steps = nil }},
		{"clients", "got -1", func(p *Plan) { phase(p).Steps[0].Clients = -1 }},
		{"clients", "at most", func(p *Plan) { phase(p).Steps[0].Clients = math.MaxInt32 }},
		{"connections", "got 0", func(p *Plan) { phase(p).Steps[0].Connections = 0 }},
		{"connections", "more than 1 clients", func(p *Plan) { phase(p).Steps[0].Connections = 2 }},
		{"rate", "got -5", func(p *Plan) { phase(p).Steps[0].Rate = Rate{From: -5, To: -5} }},
		{"rate", "at most 1e9", func(p *Plan) { phase(p).Steps[0].Rate = Rate{From: math.Inf(1), To: 1} }},
		{"rate", "rates must be above zero", func(p *Plan) { phase(p).Steps[0].Rate = Rate{From: 1, To: 1} }},
		{"", "has no end", func(p *Plan) { phase(p).Steps[0].Requests = 0 }},
		{"samples", "2000000 requests are more than the 1000000", func(p *Plan) { phase(p).Samples, phase(p).Requests = true, 2e6 }},
		{"samples", "give it requests= and no duration=", func(p *Plan) { phase(p).Samples, phase(p).Duration = true, time.Second }},
		{"samples", "their number must be known", func(p *Plan) { phase(p).Samples, phase(p).Requests = true, 0 }},
		{"duration", "above zero", func(p *Plan) { phase(p).Steps[0].Duration = -time.Second }},
		{"warmup", "leaves nothing", func(p *Plan) { phase(p).Warmup.Requests = 1000 }},
		{"warmup", "not be negative", func(p *Plan) { phase(p).Warmup.Duration = -1 }},
		{"keys", "no keys number 7", func(p *Plan) { phase(p).Ops[0].Draw.Keys = 7 }},
		{"keys", "zipfian constant", func(p *Plan) { phase(p).Ops[0].Draw.Order = OrderZipfian }},
		{"keys", "shares of a hotspot", func(p *Plan) { phase(p).Ops[0].Draw = Draw{Order: OrderHotspot, HotKeys: 2} }},
		{"keys", "no order of keys", func(p *Plan) { phase(p).Ops[0].Draw.Order = "x" }},
		{"value", "between 0 and 2 GiB", func(p *Plan) { phase(p).Ops[0].Value.Size.A = -1 }},
		{"value", "compressible", func(p *Plan) { phase(p).Ops[0].Value.Compressible = 2 }},
		{"value", "a checksum takes the last 8 bytes of a value, and values may have 7 bytes", func(p *Plan) {
			phase(p).Ops[0].Value.Size.A, phase(p).Ops[0].Value.Checksum = 7, true
		}},
		{"value", "values may have 0 bytes", func(p *Plan) {
			phase(p).Ops[0].Value = &Value{Size: Size{Kind: "normal", A: 100, B: 30}, Checksum: true}
		}},
		{"checksum", "get: phase write writes these keys without a checksum", func(p *Plan) {
			p.Runs[0].Groups = append(p.Runs[0].Groups, checking())
		}},
		{"limit", "not be negative", func(p *Plan) { phase(p).Ops[0].Limit = -1 }},
		{"ttl", "not be negative", func(p *Plan) { phase(p).Ops[0].TTL = -1 }},
		{"background", "none that is not background", func(p *Plan) { phase(p).Background = true }},
		{"fresh", "all of them are fresh, or none", func(p *Plan) { p.Runs[0].Groups[1].Phases[1].Fresh = true }},
		{"fresh", "can't be made fresh", func(p *Plan) { phase(p).Fresh = true; cluster(p).Endpoints = []string{"x"} }},
		{"ops", "same keys in sequence as phase mixed", func(p *Plan) { p.Runs[0].Groups[1].Phases[1].Ops[0].Draw.Order = OrderSequential }},
		{"phase", "no phase \"w\", but write, mixed, beside", func(p *Plan) { p.Expects = []Expect{{Phase: "w", Step: -1}} }},
		{"cluster", "no cluster \"c\", but a, b", func(p *Plan) { p.Expects = []Expect{{Phase: "write", Cluster: "c", Step: -1}} }},
		{"op", "no operation \"get\", but put", func(p *Plan) { p.Expects = []Expect{{Phase: "write", Op: "get", Step: -1}} }},
		{"step", "no step 3; it has 2", func(p *Plan) { p.Expects = []Expect{{Phase: "write", Step: 2}} }},
	} {
		p := sample()
		c.change(p)
		found := false
		for _, got := range p.Problems() {
			found = found || got.Arg == c.arg && strings.Contains(got.Text, c.text)
		}
		if !found {
			t.Errorf("%s: want a problem with %q, got %+v", c.arg, c.text, p.Problems())
		}
	}
}

// A phase beside that has an end of its own may share keys: where each starts
// does not depend on time.
func TestSequencesWithRequestsMayShareKeys(t *testing.T) {
	p := sample()
	g := &p.Runs[0].Groups[1]
	g.Phases[0].Requests = 10
	g.Phases[1].Ops[0].Draw.Order = OrderSequential
	if got := p.Problems(); len(got) > 0 {
		t.Errorf("problems: %+v", got)
	}
}

func TestOpNames(t *testing.T) {
	p := Phase{Ops: []Op{{Kind: "get"}, {Kind: "put"}, {Kind: "get"}, {Kind: "get"}}}
	if got := strings.Join(p.OpNames(), " "); got != "get put get-2 get-3" {
		t.Errorf("got %s", got)
	}
}

// checking is a group that reads keys 0 and compares their checksums.
func checking() Group {
	return Group{Phases: []Phase{{Name: "check", Role: Measure, Timeout: time.Second, MaxErrors: -1, Requests: 1,
		Steps: []Step{{Clients: 1, Connections: 1, Requests: 1}},
		Ops:   []Op{{Kind: "get", Weight: 1, Draw: Draw{Order: OrderUniform}, Checksum: true}}}}}
}

// What was written without a checksum is gone with its cluster.
func TestChecksumsOnAFreshCluster(t *testing.T) {
	p := sample()
	g := checking()
	g.Phases[0].Fresh = true
	p.Runs[0].Groups = append(p.Runs[0].Groups, g)
	if got := p.Problems(); len(got) > 0 {
		t.Errorf("problems: %+v", got)
	}
}

func TestSmallestSize(t *testing.T) {
	for _, c := range []struct {
		size Size
		want float64
	}{
		{Size{Kind: "fixed", A: 9}, 9},
		{Size{Kind: "uniform", A: 3, B: 9}, 3},
		{Size{Kind: "normal", A: 100, B: 5}, 50},
		{Size{Kind: "normal", A: 100, B: 50}, 0},
		{Size{Kind: "histogram", Sizes: []int{1, 4, 9}, Weights: []float64{0, 0.5, 0.5}}, 4},
	} {
		if got := c.size.Min(); got != c.want {
			t.Errorf("%+v: %v, want %v", c.size, got, c.want)
		}
	}
}

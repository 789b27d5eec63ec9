package report

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

// start is when every run of the tests began.
func start() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 123456789, time.UTC) }

// shape makes a step: ok requests of one or more operations on a rising clock.
type shape struct {
	seed    uint64
	ops     []string
	ok      int // of each operation
	failed  uint64
	missed  int
	median  time.Duration
	from    time.Duration
	seconds int
	open    bool
	clients int
	conns   int
	endedBy string
}

func (s shape) step(t *testing.T) result.Step {
	t.Helper()
	rng := rand.New(rand.NewPCG(s.seed, 1))
	from := s.from + 137*time.Millisecond
	st := result.Step{
		Clients: s.clients, Connections: s.conns, Open: s.open,
		From: from, To: from + time.Duration(s.seconds)*time.Second + 700*time.Millisecond,
		Counts:  result.Counts{OK: uint64(s.ok * len(s.ops)), Failed: s.failed, Missed: uint64(s.missed)},
		EndedBy: s.endedBy,
	}
	c := &st.Counts
	c.Attempted = c.OK + c.Failed
	c.Due = c.Attempted + c.Missed
	c.Asked = c.Due
	if s.open {
		st.Rate = "1,000/s"
		st.Lag = hist(t, rng, int(c.Attempted), s.median/50)
		st.Missed = hist(t, rng, s.missed, 300*time.Millisecond)
	}
	st.Failed = hist(t, rng, int(s.failed), time.Second)
	for i, op := range s.ops {
		sr := result.Series{Op: op, OK: uint64(s.ok), Found: uint64(s.ok) - uint64(s.ok/10), Entries: uint64(s.ok), Service: hist(t, rng, s.ok, s.median)}
		if op == "put" {
			sr.Written = uint64(s.ok) * 1280
		} else {
			sr.Read = uint64(s.ok) * 1024
		}
		if i == 0 {
			sr.Failed, sr.Retries = s.failed, s.failed/2
		}
		if s.open {
			sr.Response = hist(t, rng, s.ok, s.median*3/2)
		}
		sr.Seconds = secondsOf(s)
		st.Series = append(st.Series, sr)
	}
	st.Usage = usage(s)
	st.Client = result.ClientHealth{CPUSeconds: result.Known(2.5), OpenFiles: result.Known(99)}
	return st
}

func secondsOf(s shape) result.Seconds {
	c := result.Seconds{Start: s.from, Step: time.Second}
	for i := range s.seconds + 1 {
		c.OK = append(c.OK, uint32(s.ok/(s.seconds+1)+i))
		c.Failed = append(c.Failed, 0)
		for _, v := range []*result.Values{&c.Min, &c.Mean, &c.P50, &c.P90, &c.P99, &c.P999, &c.Max} {
			*v = append(*v, math.NaN())
		}
	}
	return c
}

func usage(s shape) result.Usage {
	u := result.Usage{
		Client: result.ProcessUsage{Name: "kvscen", Host: "local", MaxCPU: result.Known(43.25 + float64(s.clients)), MaxRSS: result.Known(302e6)},
		Hosts: []result.HostUsage{{
			Name: "local", Servers: true, Client: true, Interface: "lo", Device: "vda",
			RX: result.NA("shared loopback"), TX: result.NA("shared loopback"),
			ReadsCompleted: result.Known(80), SectorsRead: result.Known(0),
			WritesCompleted: result.Known(1477712), SectorsWritten: result.Known(31450244), BusySeconds: result.Known(3),
		}},
	}
	for i, name := range []string{"m1", "m2", "m3"} {
		u.Members = append(u.Members, result.ProcessUsage{
			Name: name, Host: "local", Leader: i == 1, MaxCPU: result.Known(100.5 + float64(i*s.clients)),
			MaxRSS: result.Known(1.4e9), CPUSeconds: result.Known(7), DiskUsage: result.Known(2.4e9),
		})
	}
	return u
}

func hist(t *testing.T, rng *rand.Rand, n int, median time.Duration) *result.Hist {
	t.Helper()
	if n == 0 {
		return nil
	}
	h := &result.Hist{N: uint64(n), Min: math.MaxInt64}
	hdr := result.NewHDR()
	for range n {
		v := int64(median)/4 + rng.Int64N(int64(median)*3/2) // whole numbers: the same on every machine
		if rng.IntN(50) == 0 {
			v *= 10
		}
		if err := hdr.RecordValue(v); err != nil {
			t.Fatal(err)
		}
		h.Sum += uint64(v)
		h.Min, h.Max = min(h.Min, v), max(h.Max, v)
	}
	if err := h.Encode(hdr); err != nil {
		t.Fatal(err)
	}
	return h
}

// runOf wraps clusters in a run.
func runOf(clusters ...result.Cluster) *result.Run {
	return &result.Run{
		Schema: result.Schema, Kvscen: "0.1.0",
		Scenario: result.Scenario{
			Name: "write-1m", Title: "Write 1M keys of 256 bytes with 1 KiB values, clients growing from 1 to 1,000.",
			Hash: "9f86d081884c7d65", Seed: 1, Repeat: 1, Order: "sequential",
			Params: []result.Param{{Name: "store", Value: `["etcd"]`}, {Name: "nodes", Value: "3"}, {Name: "requests", Value: "1000000"}},
		},
		Environment: result.Environment{
			Host: "bench-1", OS: "linux/amd64", Kernel: "6.1.0", CPU: "Some CPU @ 3 GHz", Cores: 16, Memory: 64e9,
			OpenFiles: 1048576, FileSystem: "ext4", Device: "vda", Go: "go1.26.7", GOMAXPROCS: 16, GOGC: "100",
		},
		Start: start(), End: start().Add(9*time.Minute + 12*time.Second), Clusters: clusters, Clients: 1,
	}
}

func clusterOf(label string, repetition int, phases ...result.Phase) result.Cluster {
	return result.Cluster{
		Label: label, Driver: "etcd", Repetition: repetition, Version: "3.7.3", Setup: 1234567890,
		Members: []result.Member{
			{Name: "m1", Host: "local", Endpoint: "127.0.0.1:2379"},
			{Name: "m2", Host: "local", Endpoint: "127.0.0.1:2381", Leader: true},
			{Name: "m3", Host: "local", Endpoint: "127.0.0.1:2383"},
		},
		Phases: phases,
	}
}

func phaseOf(name string, ops []result.Op, steps ...result.Step) result.Phase {
	return result.Phase{Name: name, Role: "measure", Start: start().Add(2 * time.Second), Ops: ops, Steps: steps}
}

func put() result.Op { return result.Op{Name: "put", Weight: 1, RPCs: "1 Put RPC"} }

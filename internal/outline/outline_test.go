package outline

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/plan"
)

// sample has one of everything that is printed.
func sample() *plan.Plan {
	return &plan.Plan{
		Name: "mix", Title: "A mix", Seed: 7, Repeat: 3, Order: plan.Interleaved,
		Params: []plan.Param{{Name: "nodes", Value: "3"}},
		Keys:   []plan.Keys{{Count: 1000000, Size: 256, Encoding: "decimal"}},
		Runs: []plan.Run{
			{
				Cluster: plan.Cluster{
					Label: "a", Driver: "etcd", Version: "3.7.3", ReadyWithin: time.Minute, Target: "leader",
					Options: map[string]any{"z": true, "b": int64(2)},
					Markers: []plan.Marker{{Regexp: "slow", Label: "slow-apply"}},
					Nodes: []plan.Node{{Name: "m1", Endpoint: plan.Token("m1.ip") + ":1", Processes: []plan.Process{{
						Name: "etcd", Argv: []string{"etcd", "--name", "a b"}, Env: map[string]string{"GOGC": "50"},
						Files: map[string]string{"conf": "x: 1\ny: 2\n"}, After: []string{"m0.etcd"},
						Ready: &plan.Ready{Kind: "http", URL: "http://x/health", Body: "true"},
						Stop:  plan.Stop{Signal: "TERM", Grace: 5 * time.Second},
					}}}},
				},
				Groups: []plan.Group{{Phases: []plan.Phase{phase("load", plan.Load), phase("read", plan.Measure)}}},
			},
			{Cluster: plan.Cluster{Label: "b", Driver: "etcd", Endpoints: []string{"10.0.0.1:2379"}}},
		},
		Expects: []plan.Expect{{Phase: "read", Op: "get", Step: 1, Bounds: []plan.Bound{
			{Metric: "lag.p99", Limit: 2e7}, {Metric: "throughput", Above: true, Limit: 5000}, {Metric: "write_throughput", Above: true, Limit: 5e6}, {Metric: "error_rate", Limit: 0.001},
		}}},
		Checks:  []plan.Check{{Name: "grows"}},
		Reports: []plan.Report{{Name: "as published"}},
	}
}

func phase(name, role string) plan.Phase {
	return plan.Phase{
		Name: name, Role: role, Requests: 1000000, Timeout: 5 * time.Second, MaxErrors: 0.01, Samples: true,
		Warmup: plan.Warmup{Duration: time.Second},
		Ops: []plan.Op{
			{Kind: "put", Weight: 0.05, Draw: plan.Draw{Order: plan.OrderSequential}, RPCs: "1 Put",
				Value: &plan.Value{Size: plan.Size{Kind: "fixed", A: 1024}}},
			{Kind: "get", Weight: 0.95, Draw: plan.Draw{Order: plan.OrderZipfian, Constant: 0.99}, RPCs: "1 Range",
				Consistency: "serializable", Asked: "weak"},
			{Kind: "scan", Weight: 0.01, Draw: plan.Draw{Order: plan.OrderUniform}, RPCs: "1 Range, keys only", Limit: 9, KeysOnly: true},
		},
		Steps: []plan.Step{
			{Clients: 1, Connections: 1, Requests: 500000},
			{Clients: 100, Connections: 3, Rate: plan.Rate{From: 10, To: 1000, Over: time.Minute}, Duration: 2 * time.Minute},
		},
	}
}

func TestPrint(t *testing.T) {
	var b strings.Builder
	if err := Print(&b, sample()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"mix: A mix\n",
		", seed 7, 3 repetitions, interleaved\n",
		"  nodes = 3\n",
		"cluster a: etcd 3.7.3, 1 member, ready within 1m0s\n",
		"  option b = 2\n  option z = true\n",
		"  clients connect to leader\n",
		"  marker slow-apply: log lines that match slow\n",
		"  member m1 at ${kvscen:m1.ip}:1\n",
		"    process etcd, after m0.etcd\n      etcd --name \"a b\"\n      GOGC=50\n      file conf\n        x: 1\n        y: 2\n",
		"      ready: http://x/health answers 200 with a body that matches true\n      stop: TERM, KILL after 5s\n",
		"cluster b: etcd, running already at 10.0.0.1:2379\n",
		"  at the same time\n    phase load (load, each request kept): 1,000,000 requests\n",
		"      5 % put of 1,000,000 keys of 256 bytes, sequential, values of 1,024 bytes -> 1 Put\n",
		"      95 % get of 1,000,000 keys of 256 bytes, zipfian (0.99), serializable (asked: weak) -> 1 Range\n",
		"      1 % scan of 1,000,000 keys of 256 bytes, uniform, at most 9 entries, keys only -> 1 Range, keys only\n",
		"      step 1: 1 client over 1 connection, closed loop, 500,000 requests\n",
		"      step 2: 100 clients over 3 connections, 10/s to 1,000/s over 1m0s, 2m0s\n",
		"      timeout 5s, warm-up 1s, fails above 1 % of errors\n",
		"  expect phase read, get, step 2: lag.p99 below 20ms\n",
		"  expect phase read, get, step 2: throughput above 5,000/s\n",
		"  expect phase read, get, step 2: write_throughput above 5.0 MB/s\n",
		"  expect phase read, get, step 2: error_rate below 0.001\n",
		"  check grows\n",
		"  report as published\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("missing %q in\n%s", want, b.String())
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("pipe closed") }

func TestPrintError(t *testing.T) {
	if err := Print(broken{}, sample()); err == nil || !strings.Contains(err.Error(), "pipe closed") {
		t.Errorf("got %v, want the error of the writer", err)
	}
}

func TestSmallWords(t *testing.T) {
	for got, want := range map[string]string{
		extent(10, time.Second):                                     "10 requests or 1s",
		extent(0, 0):                                                "until the others end",
		rate(plan.Rate{From: 2.5, To: 2.5}):                         "2.5/s",
		warmup(plan.Warmup{Requests: 2000}):                         ", warm-up 2,000 requests",
		maxErrors(-1) + "none":                                      "none",
		maxErrors(0):                                                ", fails above 0 errors",
		size(plan.Size{Kind: "uniform", A: 1, B: 2}):                "1 to 2 bytes",
		size(plan.Size{Kind: "normal", A: 9, B: 3}):                 "9 bytes, standard deviation 3",
		keys(&plan.Plan{}, plan.Draw{Keys: 4}):                      "no keys",
		ready(plan.Ready{Kind: "tcp", Addr: "x:1"}):                 "x:1 accepts connections",
		ready(plan.Ready{Kind: "log", Regexp: "up"}):                "a line of the log matches up",
		ready(plan.Ready{Kind: "exec", Argv: []string{"true", ""}}): `true "" succeeds`,
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for metric, want := range map[string]bool{"p99.9": true, "response.mean": true, "max": true, "max_throughput": false, "ok": false, "p": false} {
		if latency(metric) != want {
			t.Errorf("latency(%q) = %v", metric, !want)
		}
	}
}

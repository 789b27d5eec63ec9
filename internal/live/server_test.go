package live

import (
	"errors"
	"io"
	"iter"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/engine"
)

func TestAddresses(t *testing.T) {
	for given, want := range map[string]string{
		"9464": "127.0.0.1:9464", ":9464": "127.0.0.1:9464", "0.0.0.0:9464": "0.0.0.0:9464",
		"[::1]:0": "[::1]:0", "db1.example:80": "db1.example:80",
	} {
		if got, err := complete(given); got != want || err != nil {
			t.Errorf("%q: %q, %v; want %q", given, got, err, want)
		}
	}
	for _, given := range []string{"", ":", "here", "1.2.3.4", ":70000", ":-1", "host:port", "a:b:c"} {
		if got, err := complete(given); err == nil {
			t.Errorf("%q: %q, want an error", given, got)
		} else if _, ok := errors.AsType[*BadAddress](err); !ok {
			t.Errorf("%q: %v is no BadAddress", given, err)
		}
	}
}

func TestPortTaken(t *testing.T) {
	s := listening(t)
	_, err := Listen(s.listener.Addr().String())
	if err == nil || !strings.Contains(err.Error(), "address already in use") {
		t.Errorf("a second one at the same port: %v", err)
	}
}

func listening(t *testing.T) *Server {
	t.Helper()
	s, err := Listen("0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func begin(t *testing.T, s *Server, scenario string) *Run {
	t.Helper()
	run, err := s.Begin(scenario, "1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func page(t *testing.T, s *Server) string {
	t.Helper()
	reply, err := http.Get(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil || reply.StatusCode != http.StatusOK {
		t.Fatalf("%s %v: %s", reply.Status, err, text)
	}
	return string(text)
}

func has(t *testing.T, text string, yes bool, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if strings.Contains(text, line) != yes {
			t.Errorf("on the page: %v, want %v: %s", !yes, yes, line)
		}
	}
}

// pairs yields latencies and their counts.
func pairs(m map[time.Duration]uint64) iter.Seq2[time.Duration, uint64] {
	return func(yield func(time.Duration, uint64) bool) {
		for d, n := range m {
			if !yield(d, n) {
				return
			}
		}
	}
}

// A step's totals replace those before, a further step's and a repetition's add up.
func TestPage(t *testing.T) {
	s := listening(t)
	run := begin(t, s, "mixed")
	at := engine.Event{Cluster: "etcd", Phase: "write", Steps: 2, Clients: 10}
	observe := func(change func(*engine.Event)) {
		e := at
		change(&e)
		run.Observe(e)
	}
	totals := func(ok, timeouts uint64) {
		observe(func(e *engine.Event) {
			e.Kind, e.Totals = engine.KindTotals, &engine.Totals{
				Ops: []engine.OpTotals{{Op: "put", Results: map[string]uint64{"ok": ok, "timeout": timeouts}}},
				Lag: engine.LagTotals{N: 4, Sum: 2 * time.Second, Max: time.Second},
			}
		})
	}
	observe(func(e *engine.Event) { e.Kind = engine.KindStepStart })
	has(t, page(t, s), true, `kvscen_phase_info{cluster="etcd",phase="write",run="1",scenario="mixed",step="1",steps="2"} 1`,
		`kvscen_clients{cluster="etcd",phase="write",scenario="mixed"} 10`, `kvscen_info{scenario="mixed",version="1.2.3"} 1`)
	totals(5, 0)
	totals(7, 1)
	observe(func(e *engine.Event) { e.Kind = engine.KindStepEnd })
	at.Repetition = 1
	observe(func(e *engine.Event) { e.Kind = engine.KindStepStart })
	totals(2, 1)
	observe(func(e *engine.Event) {
		e.Kind, e.Interval = engine.KindInterval, &engine.Interval{Op: "put", Sum: 203 * time.Second,
			Latencies: pairs(map[time.Duration]uint64{time.Millisecond: 2, 3 * time.Second: 1, 200 * time.Second: 1})}
	})
	observe(func(e *engine.Event) {
		e.Kind, e.Progress = engine.KindProgress, &engine.Progress{Target: 250, Fraction: -1}
	})
	observe(func(e *engine.Event) {
		e.Kind, e.Uses = engine.KindUse, []engine.Use{{CPU: 50, RSS: 1}, {Name: "m1", CPU: 150, RSS: 1024}}
	})
	text := page(t, s)
	const labels = `cluster="etcd",op="put",phase="write",`
	has(t, text, true,
		`kvscen_requests_total{`+labels+`result="ok",scenario="mixed"} 9`,
		`kvscen_requests_total{`+labels+`result="timeout",scenario="mixed"} 2`,
		`kvscen_request_duration_seconds_bucket{`+labels+`scenario="mixed",le="0.0007"} 0`,
		`kvscen_request_duration_seconds_bucket{`+labels+`scenario="mixed",le="0.001"} 2`,
		`kvscen_request_duration_seconds_bucket{`+labels+`scenario="mixed",le="100"} 3`,
		`kvscen_request_duration_seconds_bucket{`+labels+`scenario="mixed",le="+Inf"} 4`,
		`kvscen_request_duration_seconds_sum{`+labels+`scenario="mixed"} 203`,
		`kvscen_start_lag_seconds_sum{cluster="etcd",phase="write",scenario="mixed"} 4`,
		`kvscen_start_lag_max_seconds{cluster="etcd",phase="write",scenario="mixed"} 1`,
		`kvscen_target_requests_per_second{cluster="etcd",phase="write",scenario="mixed"} 250`,
		`kvscen_member_cpu_ratio{cluster="etcd",member="m1",scenario="mixed"} 1.5`,
		`kvscen_member_resident_memory_bytes{cluster="etcd",member="m1",scenario="mixed"} 1024`,
		`kvscen_client_cpu_ratio{scenario="mixed"} 0.5`,
		`run="2"`,
	)
	has(t, text, false, "kvscen_step_done_ratio{", `run="1"`)

	// The next cluster is being started: what the last one used is gone.
	run.Observe(engine.Event{Kind: engine.KindSetup, Cluster: "consul"})
	has(t, page(t, s), false, "kvscen_member_cpu_ratio{")
}

// Two scenarios of a folder stand side by side; one that begins anew starts at 0.
func TestScenariosOfAFolder(t *testing.T) {
	s := listening(t)
	event := engine.Event{Kind: engine.KindStepStart, Cluster: "mem", Phase: "w"}
	begin(t, s, "one").Observe(event)
	begin(t, s, "two").Observe(event)
	has(t, page(t, s), true, `phase="w",scenario="one"`, `phase="w",scenario="two"`)
	begin(t, s, "one")
	has(t, page(t, s), false, `phase="w",scenario="one"`)
}

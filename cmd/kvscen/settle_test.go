package main

import (
	"context"
	"math"
	"strings"
	"syscall"
	"testing"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

func TestSettle(t *testing.T) {
	cut := func(s syscall.Signal) context.Context {
		ctx, cancel := context.WithCancelCause(context.Background())
		cancel(interruption(s))
		return ctx
	}
	whole := context.Background()
	failed := []result.Verdict{{Name: "first", Status: result.Pass}, {Name: "second", Status: result.Unknown}}
	bad := []result.Cluster{{Label: "a", Phases: []result.Phase{{Name: "w", Marks: []result.Mark{{Text: "fine"}, {Bad: true, Text: "client-bound"}}}}}}
	for name, c := range map[string]struct {
		ctx    context.Context
		run    result.Run
		strict bool
		want   int
		reason string
	}{
		"ok":                   {whole, result.Run{}, true, result.StatusOK, ""},
		"verdict":              {whole, result.Run{Verdicts: failed}, false, result.StatusCheck, "1 of 2 expectations and checks did not pass, the first: second"},
		"mark":                 {whole, result.Run{Clusters: bad}, false, result.StatusOK, ""},
		"mark, strict":         {whole, result.Run{Clusters: bad}, true, result.StatusUntrusted, "not to be trusted: a, phase w: client-bound"},
		"verdict before mark":  {whole, result.Run{Clusters: bad, Verdicts: failed}, true, result.StatusCheck, "1 of 2 expectations and checks did not pass, the first: second"},
		"run before verdict":   {whole, result.Run{Status: result.StatusRun, Reason: "m2 died", Verdicts: failed}, true, result.StatusRun, "m2 died"},
		"interrupt":            {cut(syscall.SIGINT), result.Run{Verdicts: failed}, true, result.StatusInterrupted, "interrupted by SIGINT"},
		"terminated":           {cut(syscall.SIGTERM), result.Run{Status: result.StatusInterrupted}, false, result.StatusTerminated, "interrupted by SIGTERM"},
		"run before interrupt": {cut(syscall.SIGINT), result.Run{Status: result.StatusSetup, Reason: "no leader"}, false, result.StatusSetup, "no leader"},
	} {
		settle(c.ctx, &c.run, c.strict)
		if c.run.Status != c.want || c.run.Reason != c.reason {
			t.Errorf("%s: status %d, %q; want %d, %q", name, c.run.Status, c.run.Reason, c.want, c.reason)
		}
	}
}

func TestNeeds(t *testing.T) {
	steps := func(connections ...int) plan.Phase {
		var p plan.Phase
		for _, n := range connections {
			p.Steps = append(p.Steps, plan.Step{Connections: n})
		}
		return p
	}
	p := &plan.Plan{Runs: []plan.Run{
		{
			Cluster: plan.Cluster{Driver: "etcd", Nodes: []plan.Node{{
				Endpoint: plan.Token("m1.ip") + ":" + plan.Token("m1.port.client"),
				Processes: []plan.Process{{
					Argv:  []string{"--peer=" + plan.Token("m1.port.peer"), "--client=" + plan.Token("m1.port.client")},
					Env:   map[string]string{"METRICS": plan.Token("m1.port.metrics")},
					Files: map[string]string{"conf": "all " + plan.Token("m2.port.peer") + plan.Token("m2.dir")},
				}},
			}}},
			Groups: []plan.Group{
				{Phases: []plan.Phase{steps(1, 10, 5), steps(7)}},
				{Phases: []plan.Phase{steps(16)}},
			},
		},
		{Cluster: plan.Cluster{Driver: "mem"}},
	}}
	got := needs(p, nil, "/data")
	if got.Connections != 17 || got.Ports != 4 || got.Data != "/data" {
		t.Errorf("got %+v, want 17 connections and 4 ports under /data", got)
	}
	got = needs(p, []drivers.Spec{{Name: "etcd", ConnBytes: 1000}}, "/data")
	if got.Memory != 17000 {
		t.Errorf("%d bytes for connections, want 17,000", got.Memory)
	}
}

// TestSockets: a connection that may open several of them opens as many as it
// has clients at most.
func TestSockets(t *testing.T) {
	for name, c := range map[string]struct {
		clients, connections, sockets, want int
	}{
		"one":               {100, 10, 1, 10},
		"several":           {100, 10, 3, 30},
		"more than clients": {100, 10, 30, 100},
		"without a limit":   {100, 10, math.MaxInt32, 100},
		"a client each":     {10, 10, 5, 10},
		"idle connections":  {1, 10, 5, 10},
	} {
		groups := []plan.Group{{Phases: []plan.Phase{{Steps: []plan.Step{{Clients: c.clients, Connections: c.connections}}}}}}
		if got := connectionsAtOnce(groups, c.sockets); got != c.want {
			t.Errorf("%s: %d connections, want %d", name, got, c.want)
		}
	}
}

func TestLookups(t *testing.T) {
	find, glob := plan.Token("find:kvd"), plan.Token("glob:/opt/*.jar")
	c := plan.Cluster{Nodes: []plan.Node{
		{Processes: []plan.Process{
			{Argv: []string{find, "-cp", "a:" + glob + ":" + plan.Token("glob:/b.jar")}, Env: map[string]string{"HELPER": plan.Token("find:helper")}},
			{Argv: []string{"/opt/kv/bin/kv"}, Ready: &plan.Ready{Argv: []string{plan.Token("find:probe")}}},
			{Argv: []string{plan.Token("self"), "serve"}},
		}},
		{Host: &plan.Host{Addr: "elsewhere"}, Processes: []plan.Process{{Argv: []string{plan.Token("find:there")}}}},
	}}
	programs, files := lookups(&c)
	if got, want := strings.Join(programs, " "), "kvd helper /opt/kv/bin/kv probe"; got != want {
		t.Errorf("programs %s, want %s", got, want)
	}
	if got, want := strings.Join(files, " "), "/opt/*.jar /b.jar"; got != want {
		t.Errorf("files %s, want %s", got, want)
	}
}

// TestEmbeddedAsSaid: a recipe says that its members are embedded where they are.
func TestEmbeddedAsSaid(t *testing.T) {
	list, err := recipes(t.Context())
	if err != nil || len(list) == 0 {
		t.Fatalf("%d recipes, %v", len(list), err)
	}
	for _, r := range list {
		driver := r.Requires.Driver
		if driversByName()[driver] == nil {
			t.Errorf("the recipe of %s names the driver %s, which is not there", r.Name, driver)
		}
		if r.Requires.Embedded && servers()[driver] == nil {
			t.Errorf("the recipe of %s says that %s is embedded, and it is not", r.Name, driver)
		}
	}
}

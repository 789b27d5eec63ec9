package main

import (
	"context"
	"syscall"
	"testing"

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
	broken := []result.Report{{Name: "fine"}, {Name: "table", Error: "no"}}
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
		"report":               {whole, result.Run{Clusters: bad, Reports: broken}, false, result.StatusReport, "the report table failed"},
		"mark before report":   {whole, result.Run{Clusters: bad, Reports: broken}, true, result.StatusUntrusted, "not to be trusted: a, phase w: client-bound"},
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
}

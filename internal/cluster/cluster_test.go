package cluster

import (
	"cmp"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/plan"
)

// server is a process that serves on a port of its node.
func server(node, name string, after ...string) plan.Process {
	addr := "${kvscen:" + node + ".ip}:${kvscen:" + node + ".port." + name + "}"
	return plan.Process{
		Name: name, Argv: []string{"${kvscen:self}", "server", addr},
		Env:   map[string]string{"NAME": node + "." + name, "TRACE": "${kvscen:" + node + ".dir}/../trace"},
		Files: map[string]string{"conf/server.cfg": "address = " + addr},
		Ready: &plan.Ready{Kind: "tcp", Addr: addr},
		Stop:  plan.Stop{Signal: "TERM", Grace: 5 * time.Second},
		After: after,
		Pos:   plan.Pos{File: "x.star", Line: 7, Col: 3},
	}
}

func node(name string, processes ...plan.Process) plan.Node {
	n := plan.Node{Name: name, Processes: processes, Pos: plan.Pos{File: "x.star", Line: 5, Col: 1}}
	if len(processes) > 0 {
		n.Endpoint = "${kvscen:" + name + ".ip}:${kvscen:" + name + ".port." + processes[0].Name + "}"
	}
	return n
}

func config(t *testing.T) Config {
	dir := t.TempDir()
	return Config{Self: os.Args[0], Dir: filepath.Join(dir, "data"), LogDir: filepath.Join(dir, "logs")}
}

func start(t *testing.T, c *plan.Cluster, cfg Config) *Cluster {
	t.Helper()
	s, err := Start(t.Context(), c, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Stop(context.Background()) })
	return s
}

func TestLife(t *testing.T) {
	t.Parallel()
	cfg := config(t)
	stale := filepath.Join(cfg.Dir, "a", "stale")
	if err := os.MkdirAll(stale, 0o700); err != nil {
		t.Fatal(err)
	}
	c := start(t, &plan.Cluster{Nodes: []plan.Node{
		node("a", server("a", "front", "store"), server("a", "store", "b.store")),
		node("b", server("b", "store")),
		node("empty"),
	}}, cfg)
	members := c.Members()
	if len(members) != 3 || len(members[0].PIDs) != 2 || len(members[1].PIDs) != 1 || members[2].Endpoint != "" {
		t.Fatalf("members are %+v", members)
	}
	a := members[0]
	if a.Argv[0][2] != a.Endpoint || a.Log != filepath.Join(cfg.LogDir, "a.front.log") || len(a.Logs) != 2 {
		t.Errorf("member a is %+v", a)
	}
	if conn, err := net.Dial("tcp", a.Endpoint); err != nil {
		t.Errorf("it does not answer: %v", err)
	} else {
		conn.Close()
	}
	if _, err := os.Stat(stale); err == nil {
		t.Error("the data folder is not fresh")
	}
	if used, err := c.DiskUsage("a"); err != nil || used < 1024 {
		t.Errorf("disk usage of a: %d, %v", used, err)
	}
	mark, err := c.MarkLogs()
	if err != nil || mark[a.Log] == 0 {
		t.Errorf("marks of the logs: %v, %v", mark, err)
	}
	for range 2 {
		if err := c.Stop(t.Context()); err != nil {
			t.Errorf("stop: %v", err)
		}
	}
	trace, err := os.ReadFile(filepath.Join(cfg.Dir, "trace"))
	want := "b.store starts\na.store starts\na.front starts\na.front stops\na.store stops\nb.store stops\n"
	if err != nil || string(trace) != want {
		t.Errorf("order was\n%swant\n%s%v", trace, want, err)
	}
	for _, m := range members {
		for _, pid := range m.PIDs {
			if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
				t.Errorf("process %d of %s is still there", pid, m.Name)
			}
		}
	}
	select {
	case d := <-c.Died():
		t.Errorf("a stop is reported as a death: %v", d)
	default:
	}
	if err := c.RemoveData(); err != nil {
		t.Errorf("remove the data: %v", err)
	}
	if _, err := os.Stat(a.Dir); err == nil {
		t.Error("the data is still there")
	}
}

func TestReadyKinds(t *testing.T) {
	t.Parallel()
	url := "http://${kvscen:a.ip}:${kvscen:a.port.store}/"
	for _, ready := range []plan.Ready{
		{Kind: "http", URL: url + "config", Body: `address = 127\.0\.0\.1:\d+ <nil>`},
		{Kind: "http", URL: url + "nothing", Status: 404},
		{Kind: "log", Regexp: "^serving$"},
		{Kind: "exec", Argv: []string{"${kvscen:self}", "check", "${kvscen:a.dir}/../trace"}},
	} {
		t.Run(ready.Kind, func(t *testing.T) {
			t.Parallel()
			p := server("a", "store")
			p.Ready = &ready
			c := start(t, &plan.Cluster{Nodes: []plan.Node{node("a", p)}}, config(t))
			if err := c.Stop(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestSetupErrors(t *testing.T) {
	t.Parallel()
	self := "${kvscen:self}"
	plain := func(argv ...string) plan.Process {
		return plan.Process{Name: "p", Argv: argv, Pos: plan.Pos{File: "x.star", Line: 7, Col: 3}}
	}
	with := func(p plan.Process, change func(*plan.Process)) plan.Process {
		change(&p)
		return p
	}
	never := &plan.Ready{Kind: "log", Regexp: "never"}
	tests := []struct {
		name   string
		nodes  []plan.Node
		want   []string
		within time.Duration // 0: long enough
	}{
		{"unknown reference", []plan.Node{node("a", plain(self, "${kvscen:b.ip}"))},
			[]string{"x.star:7:3: a.p: argv: the reference ${kvscen:b.ip}: there is no such node"}, 0},
		{"missing program", []plan.Node{node("a", plain("no-such-program"))},
			[]string{`x.star:7:3: a.p: argv: the program "no-such-program" is not installed`}, 0},
		{"no program", []plan.Node{node("a", plain())}, []string{"x.star:7:3: a.p: argv: there is no program to run"}, 0},
		{"ends before ready", []plan.Node{node("a", with(plain(self, "fail"), func(p *plan.Process) { p.Ready = never })), node("b", server("b", "s"))},
			[]string{"x.star:7:3: a.p: ended before it was ready: exited with status 4; its log ends with:\n    line 10\n", "    line 29"}, 0},
		{"never ready", []plan.Node{node("a", with(plain(self, "hang"), func(p *plan.Process) { p.Ready = never }),
			with(server("a", "later"), func(p *plan.Process) { p.After = []string{"p"} }))},
			[]string{"x.star:7:3: a.p: not ready within 2s: no line of its log matches"}, 2 * time.Second},
		{"probe program fails", []plan.Node{node("a", with(plain(self, "hang"), func(p *plan.Process) {
			p.Ready = &plan.Ready{Kind: "exec", Argv: []string{self, "check", "/no/such/file"}}
		}))}, []string{"not ready within 4s", "exited with status 1"}, 4 * time.Second},
		{"bad expression", []plan.Node{node("a", with(plain(self, "hang"), func(p *plan.Process) { p.Ready = &plan.Ready{Kind: "log", Regexp: "("} }))},
			[]string{"a.p: ready: error parsing regexp"}, 0},
		{"after nobody", []plan.Node{node("a", with(plain(self, "hang"), func(p *plan.Process) { p.After = []string{"q"} }))},
			[]string{`a.p: after: there is no process "q"`}, 0},
		{"after each other", []plan.Node{node("a", with(plain(self), func(p *plan.Process) { p.After = []string{"b.p"} })),
			node("b", with(plain(self), func(p *plan.Process) { p.After = []string{"a.p"} }))},
			[]string{"after: these wait for each other: a.p, b.p"}, 0},
		{"same name twice", []plan.Node{node("a", plain(self), plain(self))}, []string{"two processes of this name"}, 0},
		{"host", []plan.Node{{Name: "a", Host: &plan.Host{Addr: "h1", Pos: plan.Pos{File: "x.star", Line: 9, Col: 2}}}},
			[]string{"x.star:9:2: a: it asks for host h1"}, 0},
		{"bad endpoint", []plan.Node{{Name: "a", Endpoint: "${kvscen:self", Pos: plan.Pos{File: "x.star", Line: 5, Col: 1}}},
			[]string{"x.star:5:1: a: endpoint: the reference"}, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c, err := Start(t.Context(), &plan.Cluster{Nodes: test.nodes, ReadyWithin: cmp.Or(test.within, time.Minute)}, config(t))
			if err == nil {
				_ = c.Stop(t.Context())
				t.Fatal("no error")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got  %v\nwant %s", err, want)
				}
			}
		})
	}
}

func TestUnwritableFolder(t *testing.T) {
	t.Parallel()
	cfg := config(t)
	if err := os.WriteFile(cfg.Dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Start(t.Context(), &plan.Cluster{Nodes: []plan.Node{node("a", server("a", "s"))}}, cfg)
	if e, ok := errors.AsType[*Error](err); !ok || e.Member != "a" || !strings.Contains(err.Error(), "make its data folder") {
		t.Errorf("got %v", err)
	}
}

func TestCancelledSetup(t *testing.T) {
	t.Parallel()
	p := server("a", "s")
	p.Ready = &plan.Ready{Kind: "log", Regexp: "never"}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err := Start(ctx, &plan.Cluster{Nodes: []plan.Node{node("a", p)}}, config(t))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestDeath(t *testing.T) {
	t.Parallel()
	c := start(t, &plan.Cluster{Nodes: []plan.Node{node("a", server("a", "s")), node("b", server("b", "s"))}}, config(t))
	if err := syscall.Kill(c.Members()[1].PIDs[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	select {
	case d := <-c.Died():
		if d.String() != "b.s: ended by signal SIGKILL" || !slices.Contains(d.LastLines, "serving") {
			t.Errorf("death is %v, log %q", d, d.LastLines)
		}
	case <-time.After(time.Minute):
		t.Fatal("nobody noticed")
	}
	if err := c.Stop(t.Context()); err != nil {
		t.Errorf("stop: %v", err)
	}
}

func TestEndpoints(t *testing.T) {
	t.Parallel()
	c := start(t, &plan.Cluster{Endpoints: []string{"h1:1", "h2:1"}}, Config{})
	if m := c.Members(); len(m) != 2 || m[1].Name != "m2" || m[1].Endpoint != "h2:1" || m[1].Dir != "" {
		t.Errorf("members are %+v", m)
	}
	if _, err := c.DiskUsage("m1"); err == nil {
		t.Error("the disk usage of a member elsewhere is known")
	}
	if mark, err := c.MarkLogs(); err != nil || len(mark) != 0 {
		t.Errorf("marks: %v, %v", mark, err)
	}
	if err := errors.Join(c.Stop(t.Context()), c.RemoveData()); err != nil {
		t.Error(err)
	}
}

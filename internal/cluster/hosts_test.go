package cluster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/host"
	"github.com/kvscen/kvscen/internal/host/sshlink"
	"github.com/kvscen/kvscen/internal/host/sshtest"
	"github.com/kvscen/kvscen/internal/plan"
)

// onHost is a configuration that reaches servers, and a host of the plan for the
// first of them.
func onHost(t *testing.T, upload bool) (Config, *plan.Host) {
	t.Helper()
	server := sshtest.Start(t, sshtest.Options{})
	t.Setenv("HOME", sshtest.Home(t, "", server))
	t.Setenv("SSH_AUTH_SOCK", "")
	settings, err := sshlink.UserSettings()
	if err != nil {
		t.Fatal(err)
	}
	cfg := config(t)
	hosts := host.NewHosts(host.Config{Self: os.Args[0], Run: "run", SSH: settings})
	t.Cleanup(hosts.Close)
	cfg.Hosts, cfg.Name = hosts, "cluster"
	return cfg, &plan.Host{Addr: server.Address, Port: server.Port, User: server.User, Dir: t.TempDir(), Upload: upload}
}

// TestEtcdOnHosts starts embedded members on a machine over SSH.
func TestEtcdOnHosts(t *testing.T) {
	cfg, h := onHost(t, true)
	p := etcd()
	p.ReadyWithin = time.Minute
	for i := range p.Nodes {
		p.Nodes[i].Host = h
	}
	c, err := Start(t.Context(), p, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Stop(context.Background())
	members := c.Members()
	if err := write(members[1].Endpoint); err != nil {
		t.Fatal(err)
	}
	for _, m := range members {
		if !strings.HasPrefix(m.Dir, h.Dir) || m.Remote == nil || len(m.PIDs) != 1 || !strings.HasPrefix(m.Argv[0][0], h.Dir) {
			t.Errorf("member %+v", m)
		}
		if n, err := c.DiskUsage(m.Name); err != nil || n < 1<<20 {
			t.Errorf("%s takes %d bytes, %v", m.Name, n, err)
		}
	}
	if _, err := c.MarkLogs(); err != nil {
		t.Error(err)
	}
	found, err := CountMarkers(members[0].Log, 0, -1, []plan.Marker{{Regexp: "raft", Label: "raft"}})
	if err != nil || found["raft"] == 0 || !strings.HasPrefix(members[0].Log, cfg.LogDir) {
		t.Errorf("the log %s has markers %v, %v", members[0].Log, found, err)
	}
	if err := c.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	for _, m := range members {
		if _, err := os.Stat(filepath.Join("/proc", strconv.Itoa(m.PIDs[0]))); err == nil {
			t.Errorf("%s still runs", m.Name)
		}
	}
	if err := c.RemoveData(); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(filepath.Join(h.Dir, "kvscen", "runs")); len(left) > 1 {
		t.Errorf("left behind: %v", left)
	}
	if left, err := os.ReadDir(filepath.Join(h.Dir, "kvscen", "runs", "run")); err == nil {
		t.Errorf("left behind: %v", left)
	}
}

// TestGivenProgramOnHosts starts a program that is there, with files and each
// kind of probe, without a copy of kvscen.
func TestGivenProgramOnHosts(t *testing.T) {
	cfg, h := onHost(t, false)
	dir := "${kvscen:a.dir}"
	p := &plan.Cluster{ReadyWithin: time.Minute, Nodes: []plan.Node{{
		Name: "a", Host: h, Endpoint: "${kvscen:a.ip}:${kvscen:a.port.client}",
		Processes: []plan.Process{{
			Name: "server", Argv: []string{os.Args[0], "server", "${kvscen:a.ip}:${kvscen:a.port.client}"},
			Files: map[string]string{"conf/server.cfg": "dir=" + dir}, Env: map[string]string{"TRACE": dir + "/trace"},
			Ready: &plan.Ready{Kind: "log", Regexp: "^serving$"},
		}, {
			Name: "second", Argv: []string{os.Args[0], "hang"}, After: []string{"server"},
			Ready: &plan.Ready{Kind: "exec", Argv: []string{os.Args[0], "check", dir + "/trace"}},
		}},
	}}}
	c, err := Start(t.Context(), p, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Stop(context.Background())
	m := c.Members()[0]
	kept, err := os.ReadFile(filepath.Join(cfg.LogDir, "a.server.files", "conf", "server.cfg"))
	if err != nil || string(kept) != "dir="+m.Dir {
		t.Errorf("the file kept is %q, %v", kept, err)
	}
	if there, err := os.ReadFile(filepath.Join(m.Dir, "conf", "server.cfg")); err != nil || string(there) != string(kept) {
		t.Errorf("the file is %q, %v", there, err)
	}
	// One that ends is reported with the end of its log.
	pid := c.units[0].process.PID()
	if p, err := os.FindProcess(pid); err != nil || p.Kill() != nil {
		t.Fatalf("kill %d: %v", pid, err)
	}
	select {
	case d := <-c.Died():
		if d.Member != "a" || !strings.Contains(d.String(), "SIGKILL") || !strings.Contains(fmt.Sprint(d.LastLines), "serving") {
			t.Errorf("got %v, %q", d, d.LastLines)
		}
	case <-time.After(time.Minute):
		t.Fatal("its death was not reported")
	}
}

// TestHostsErrors blames the host in the scenario.
func TestHostsErrors(t *testing.T) {
	cfg, h := onHost(t, false)
	self := []plan.Process{{Name: "p", Argv: []string{"${kvscen:self}"}, Pos: plan.Pos{File: "x.star", Line: 3, Col: 1}}}
	bad := *h
	bad.Port, bad.Pos = 1, plan.Pos{File: "x.star", Line: 9, Col: 2}
	for name, test := range map[string]struct {
		node plan.Node
		want string
	}{
		"refused":        {plan.Node{Name: "a", Host: &bad}, "x.star:9:2: a: connect to 127.0.0.1 over SSH: open 127.0.0.1:1"},
		"needs upload":   {plan.Node{Name: "a", Host: h, Processes: self}, "x.star:3:1: a.p: argv: the reference ${kvscen:self}: kvscen itself is not on 127.0.0.1"},
		"missing binary": {plan.Node{Name: "a", Host: h, Processes: []plan.Process{{Name: "p", Argv: []string{"no-such-store"}}}}, `the program "no-such-store" is not installed on 127.0.0.1`},
	} {
		c, err := Start(t.Context(), &plan.Cluster{Nodes: []plan.Node{test.node}}, cfg)
		if err == nil {
			c.Stop(t.Context())
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package cluster

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/host"
	"github.com/kvscen/kvscen/internal/plan"
)

// foreign starts two servers of one name that are none of ours, and gives their
// endpoints and processes.
func foreign(t *testing.T, dir string) (name string, endpoints []string, pids []int) {
	t.Helper()
	name = "foreign-" + strconv.Itoa(os.Getpid())
	program := filepath.Join(dir, name)
	if err := os.Symlink(os.Args[0], program); err != nil {
		t.Fatal(err)
	}
	ports, err := newPorts()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(ports.release)
	for _, ref := range []string{"one", "two"} {
		port, err := ports.named(ref, loopback)
		if err != nil {
			t.Fatal(err)
		}
		log, err := os.Create(filepath.Join(dir, ref+".log"))
		if err != nil {
			t.Fatal(err)
		}
		defer log.Close()
		cmd := exec.Command(program, "server", loopback+":"+port)
		cmd.Stdout, cmd.Dir = log, dir
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			cmd.Process.Signal(syscall.SIGTERM)
			cmd.Wait()
		})
		endpoints, pids = append(endpoints, loopback+":"+port), append(pids, cmd.Process.Pid)
		eventually(t, func() error { return probeTCP(loopback + ":" + port)(t.Context()) })
	}
	return name, endpoints, pids
}

// TestAttachFindsProcesses finds servers that run already, on this machine and
// over SSH, and leaves them alone.
func TestAttachFindsProcesses(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes are found by /proc")
	}
	dir := t.TempDir()
	name, endpoints, pids := foreign(t, dir)
	data := filepath.Join(dir, "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	logs := []string{filepath.Join(dir, "one.log"), filepath.Join(dir, "two.log")}
	over, h := onHost(t, false)
	bare := *h
	for where, at := range map[string]struct {
		cfg   Config
		hosts []plan.Host
	}{
		"this machine": {config(t), nil},
		"over SSH":     {over, []plan.Host{bare}},
	} {
		p := &plan.Cluster{Endpoints: endpoints, Watch: &plan.Watch{Hosts: at.hosts, Process: name, Data: []string{data}, Logs: logs}}
		c, err := Start(t.Context(), p, at.cfg)
		if err != nil {
			t.Fatalf("%s: %v", where, err)
		}
		before, err := c.MarkLogs()
		if err != nil {
			t.Errorf("%s: %v", where, err)
		}
		for i, m := range c.Members() {
			if len(m.PIDs) != 1 || m.PIDs[0] != pids[i] || m.Data != data || m.Dir != "" || (m.Remote != nil) != (at.hosts != nil) ||
				m.Argv[0][2] != endpoints[i] {
				t.Errorf("%s: member %+v, want process %d", where, m, pids[i])
			}
			if before[m.Log] != 0 {
				t.Errorf("%s: %d bytes of the log are older than the run", where, before[m.Log])
			}
			if _, err := c.DiskUsage(m.Name); err != nil {
				t.Errorf("%s: %v", where, err)
			}
			say(t, logs[i], "a line of "+where)
		}
		if _, err := c.MarkLogs(); err != nil {
			t.Errorf("%s: %v", where, err)
		}
		for _, m := range c.Members() {
			if text, _ := os.ReadFile(m.Log); string(text) != "a line of "+where+"\n" {
				t.Errorf("%s: the log of %s is %q", where, m.Name, text)
			}
		}
		if err := c.Stop(t.Context()); err != nil {
			t.Errorf("%s: %v", where, err)
		}
		if err := c.RemoveData(); err != nil {
			t.Errorf("%s: %v", where, err)
		}
		for _, pid := range pids {
			if err := syscall.Kill(pid, 0); err != nil {
				t.Errorf("%s: process %d: %v", where, pid, err)
			}
		}
		if _, err := os.Stat(data); err != nil {
			t.Errorf("%s: %v", where, err)
		}
	}
}

func say(t *testing.T, log, line string) {
	t.Helper()
	f, err := os.OpenFile(log, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(line + "\n"); err != nil {
		t.Fatal(err)
	}
}

// TestAttachRefusals says what was found in place of one process.
func TestAttachRefusals(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes are found by /proc")
	}
	dir := t.TempDir()
	name, endpoints, _ := foreign(t, dir)
	for _, tt := range []struct {
		endpoint string
		watch    plan.Watch
		want     string
	}{
		{endpoints[0], plan.Watch{Process: "no-such-store"}, `no process of this machine is called "no-such-store"`},
		{loopback + ":1", plan.Watch{Process: name}, "2 processes of this machine are called \"" + name + "\", and 0 of them can be seen to listen on port 1: "},
		{endpoints[0], plan.Watch{PIDFiles: []string{dir + "/none"}}, "read the pid file " + dir + "/none of this machine"},
		{endpoints[0], plan.Watch{Process: name, Logs: []string{dir + "/none"}}, "its log: open " + dir + "/none"},
		{"192.0.2.1:2379", plan.Watch{Process: name}, "192.0.2.1 is not of this machine: say by hosts"},
		{endpoints[0], plan.Watch{Process: name, Hosts: []plan.Host{{Addr: "h"}}}, "it asks for host h, but there is nothing here to connect to it"},
	} {
		c, err := Start(t.Context(), &plan.Cluster{Endpoints: []string{tt.endpoint}, Watch: &tt.watch}, config(t))
		if err == nil {
			c.Stop(t.Context())
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "m1 at "+tt.endpoint) {
			t.Errorf("%+v: %v, want %q", tt.watch, err, tt.want)
		}
	}
}

// TestAttachReportsALostMachine tells of each member there, and kills none.
func TestAttachReportsALostMachine(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes are found by /proc")
	}
	name, endpoints, pids := foreign(t, t.TempDir())
	cfg, h := onHost(t, false)
	p := &plan.Cluster{Endpoints: endpoints, Watch: &plan.Watch{Hosts: []plan.Host{*h}, Process: name}}
	c, err := Start(t.Context(), p, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Stop(context.Background())
	cfg.Hosts.(*host.Hosts).Close()
	for range endpoints {
		select {
		case d := <-c.Died():
			if _, lost := host.LostName(d.Err); !lost || d.Process != "" || !strings.HasPrefix(d.String(), d.Member+": ") {
				t.Errorf("got %v", d)
			}
		case <-time.After(time.Minute):
			t.Fatal("the loss was not reported")
		}
	}
	for _, pid := range pids {
		if err := syscall.Kill(pid, 0); err != nil {
			t.Errorf("process %d: %v", pid, err)
		}
	}
}

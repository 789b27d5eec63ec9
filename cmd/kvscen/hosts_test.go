//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/host/sshtest"
	"github.com/kvscen/kvscen/internal/result"
)

// machines are three hosts, and the folder of a user who reaches them by
// hosts.txt.
func machines(t *testing.T) (*sshtest.Machines, string) {
	t.Helper()
	m := sshtest.NewMachines(t, "10.77.0", 3)
	var config, hosts strings.Builder
	for _, s := range m.Servers {
		config.WriteString(s.Entry())
		hosts.WriteString(s.Address + "\n")
	}
	home := sshtest.Home(t, config.String(), m.Servers...)
	if err := os.WriteFile(filepath.Join(home, "hosts.txt"), []byte(hosts.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return m, home
}

// command is kvscen run by that user.
func command(t *testing.T, home string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	binary, err := exec.LookPath("kvscen")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, args...)
	cmd.Env = append(os.Environ(), "HOME="+home, "SSH_AUTH_SOCK=")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	return cmd, &out
}

// TestRunOnHosts runs a scenario on three machines as a newcomer does.
func TestRunOnHosts(t *testing.T) {
	m, home := machines(t)
	out := filepath.Join(home, "out")
	cmd, text := command(t, home, "run", "--small", "--out", out, "--hosts", filepath.Join(home, "hosts.txt"), "../../scenarios/write-1m.star")
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	t.Logf("%s", text)
	run, err := result.Load(out)
	if err != nil {
		t.Fatal(err)
	}
	c := run.Clusters[0]
	if len(c.Members) != 3 {
		t.Fatalf("members %+v", c.Members)
	}
	for i, member := range c.Members {
		address := m.Servers[i].Address
		if member.Host != address || !strings.HasPrefix(member.Endpoint, address+":") {
			t.Errorf("member %+v, want it on %s", member, address)
		}
		if log, err := os.ReadFile(filepath.Join(out, "logs", "etcd", member.Name+".etcd.log")); err != nil || len(log) == 0 {
			t.Errorf("the log of %s: %d bytes, %v", member.Name, len(log), err)
		}
	}
	for _, s := range c.Phases[0].Steps {
		sampledOnHosts(t, s.Usage, m)
	}
	if len(c.Clocks) != 2*len(m.Servers) {
		t.Errorf("clocks %+v", c.Clocks)
	}
	for _, clock := range c.Clocks {
		if clock.Bound <= 0 || clock.Offset.Abs() > clock.Bound { // it is one clock
			t.Errorf("clock %+v", clock)
		}
	}
	if left := mentioning(t, filepath.Base(out)+"-", 0); len(left) > 0 {
		t.Errorf("left behind:\n%s", strings.Join(left, "\n"))
	}
}

// sampledOnHosts looks for figures of every member and every machine.
func sampledOnHosts(t *testing.T, u result.Usage, m *sshtest.Machines) {
	t.Helper()
	known := func(what string, n result.Number, least float64) {
		t.Helper()
		if !n.OK() || n.V < least {
			t.Errorf("%s: %v, want at least %v", what, n, least)
		}
	}
	for i, member := range u.Members {
		if member.Host != m.Servers[i].Address {
			t.Errorf("%s is on %s", member.Name, member.Host)
		}
		known(member.Name+" CPU", member.CPUSeconds, 0.01)
		known(member.Name+" memory", member.MaxRSS, 10<<20)
		known(member.Name+" threads", member.Threads, 2)
		known(member.Name+" written", member.WriteBytes, 1)
		known(member.Name+" disk usage", member.DiskUsage, 1<<20)
	}
	if len(u.Hosts) != 1+len(m.Servers) {
		t.Fatalf("%d hosts", len(u.Hosts))
	}
	for i, h := range u.Hosts[1:] {
		if h.Name != m.Servers[i].Address || h.Interface == "" || h.Interface == "lo" || !h.Servers || h.Client {
			t.Errorf("host %+v", h)
		}
		known(h.Name+" received", h.RX, 1000*1024/2) // every member gets every value of a step
		known(h.Name+" sent", h.TX, 1)
		if h.Device != "" {
			known(h.Name+" sectors written", h.SectorsWritten, 1)
		}
	}
}

// TestHostLost takes the link of a machine away in the middle of a phase.
func TestHostLost(t *testing.T) {
	m, home := machines(t)
	out := filepath.Join(home, "lost")
	cmd, _ := command(t, home, "run", "--out", out, "--hosts", filepath.Join(home, "hosts.txt"),
		"--set", "requests=1000000", "--set", "clients=10", "../../scenarios/write-1m.star")
	seen := &screen{}
	cmd.Stdout, cmd.Stderr = seen, seen
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	if !seen.within(time.Minute, "etcd write: 10 clients") {
		t.Fatalf("the phase does not begin:\n%s", seen)
	}
	time.Sleep(2 * time.Second) // of the phase, so that there is something to keep
	m.Cut(2)
	cut := time.Now()
	if !seen.within(30*time.Second, "the connection to 10.77.0.3 is lost") {
		t.Fatalf("the loss was not reported:\n%s", seen)
	}
	if took := time.Since(cut); took > 10*time.Second {
		t.Errorf("the loss was reported after %v", took)
	}
	err := cmd.Wait()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != result.StatusRun {
		t.Fatalf("%v\n%s", err, seen)
	}
	run, err := result.Load(out)
	if err != nil {
		t.Fatal(err)
	}
	c := run.Clusters[0]
	if len(c.Phases) != 1 || len(c.Phases[0].Steps) != 1 || c.Phases[0].Steps[0].Counts.OK == 0 {
		t.Errorf("what was measured is not kept: %+v", c.Phases)
	}
	if len(c.Events) == 0 || !strings.Contains(fmt.Sprint(c.Events), "host-lost") {
		t.Errorf("events %+v", c.Events)
	}
	for end := time.Now().Add(killEnds); ; time.Sleep(50 * time.Millisecond) {
		left := mentioning(t, "/.kvscen/runs/lost-", 0)
		if len(left) == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("left behind:\n%s", strings.Join(left, "\n"))
		}
	}
}

// screen is output that may be looked at while it is written to.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *screen) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(b)
}

func (w *screen) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// within reports whether a text comes in time.
func (w *screen) within(limit time.Duration, text string) bool {
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if strings.Contains(w.String(), text) {
			return true
		}
	}
	return false
}

// TestKillLeavesNothingOnHosts ends kvscen by kill -9 while members run elsewhere.
func TestKillLeavesNothingOnHosts(t *testing.T) {
	_, home := machines(t)
	out := filepath.Join(home, "killed")
	cmd, text := command(t, home, "run", "--out", out, "--hosts", filepath.Join(home, "hosts.txt"),
		"--set", "requests=1000000", "--set", "clients=10", "../../scenarios/write-1m.star")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	running := func() int { return len(mentioning(t, "/.kvscen/runs/killed-", cmd.Process.Pid)) }
	for end := time.Now().Add(time.Minute); running() < 3*3; time.Sleep(50 * time.Millisecond) { // two guards and a member each
		if time.Now().After(end) {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			t.Fatalf("%d processes run on the hosts\n%s", running(), text)
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed
	for end := time.Now().Add(killEnds); running() > 0; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("left behind:\n%s", strings.Join(mentioning(t, "/.kvscen/runs/killed-", 0), "\n"))
		}
	}
}

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

// TestHosts runs kvscen on three machines as its users do. All share them: the
// most that it takes is the copying of kvscen to each. What a machine is put
// through is mended by the test that did it.
func TestHosts(t *testing.T) {
	f := newFleet(t)
	for _, test := range []struct {
		name string
		run  func(*testing.T, *fleet)
	}{
		{"newcomer", newcomer},
		{"killed", killedOnHosts},
		{"cut", cutOff},
		{"cut and on", cutOffAndOn},
		{"no sshd", withoutServer},
		{"disk full", diskFullOnHost},
		{"refused", refusedByHosts},
		{"six", overIPv6},
		{"far", farAway},
	} {
		if !t.Run(test.name, func(t *testing.T) { test.run(t, f) }) {
			f.logs(t)
		}
	}
}

// fleet is three machines, and a user who knows them.
type fleet struct {
	*sshtest.Machines
	home  string
	hosts string // file of all three
}

func newFleet(t *testing.T) *fleet {
	t.Helper()
	f := &fleet{Machines: sshtest.NewMachines(t, 3)}
	var config strings.Builder
	for _, s := range f.Servers {
		config.WriteString(s.Entry())
	}
	f.home = sshtest.Home(t, config.String(), f.Servers...)
	f.hosts = f.file(t, "hosts.txt", func(s *sshtest.Server) string { return s.Address })
	return f
}

// file writes a file with a line for each machine.
func (f *fleet) file(t *testing.T, name string, line func(*sshtest.Server) string) string {
	t.Helper()
	var text strings.Builder
	for _, s := range f.Servers {
		text.WriteString(line(s) + "\n")
	}
	path := filepath.Join(f.home, name)
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// logs shows what the machines' servers have to say for themselves.
func (f *fleet) logs(t *testing.T) {
	for _, s := range f.Servers {
		text, _ := os.ReadFile(filepath.Join(s.Home, "sshd.log"))
		t.Logf("sshd of %s:\n%s", s.Address, text[max(0, len(text)-2000):])
	}
}

// command is kvscen run by a user with a home folder.
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

// attempt is a run of kvscen that is under way.
type attempt struct {
	cmd  *exec.Cmd
	out  string // folder of its result
	seen *screen
}

// begin starts kvscen run on the hosts of a file.
func (f *fleet) begin(t *testing.T, hosts, scenario string, args ...string) *attempt {
	t.Helper()
	a := &attempt{out: filepath.Join(t.TempDir(), "out"), seen: &screen{}}
	args = append([]string{"run", "--out", a.out, "--hosts", hosts}, args...)
	a.cmd, _ = command(t, f.home, append(args, scenario)...)
	a.cmd.Stdout, a.cmd.Stderr = a.seen, a.seen
	if err := a.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if a.cmd.ProcessState == nil {
			_ = a.cmd.Process.Kill()
			_ = a.cmd.Wait()
		}
		f.nothingRuns(t)
	})
	return a
}

// sees waits for a text on the screen.
func (a *attempt) sees(t *testing.T, text string) {
	t.Helper()
	if !a.seen.within(2*time.Minute, text) {
		t.Fatalf("%q is not said:\n%s", text, a.seen)
	}
}

// ends waits for the end, which must be with a status, and reads the result.
func (a *attempt) ends(t *testing.T, status int) *result.Run {
	t.Helper()
	err := a.cmd.Wait()
	got := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	if got != status {
		t.Fatalf("exit status %d, want %d:\n%s", got, status, a.seen)
	}
	run, err := result.Load(a.out)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// nothingRuns waits until there is nothing of ours on any machine.
func (f *fleet) nothingRuns(t *testing.T) {
	t.Helper()
	for i, s := range f.Servers {
		for end := time.Now().Add(killEnds); len(f.Left(i)) > 0; time.Sleep(50 * time.Millisecond) {
			if time.Now().After(end) {
				t.Errorf("left behind on %s:\n%s", s.Address, strings.Join(f.Left(i), "\n"))
				break
			}
		}
	}
}

// folders are those of runs that are left on the machines.
func (f *fleet) folders(t *testing.T) []string {
	t.Helper()
	var list []string
	for _, s := range f.Servers {
		found, err := filepath.Glob(filepath.Join(s.Home, ".kvscen", "runs", "*"))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, found...)
	}
	return list
}

// cleans has the command remove what it finds, until it finds nothing.
func (f *fleet) cleans(t *testing.T) {
	t.Helper()
	for _, args := range [][]string{{"--yes"}, nil} {
		cmd, out := command(t, f.home, append([]string{"clean", "--hosts", f.hosts}, args...)...)
		if err := cmd.Run(); err != nil {
			t.Fatalf("clean %v: %v\n%s", args, err, out)
		}
		if args == nil && strings.Count(out.String(), "nothing is left") != len(f.Servers) {
			t.Errorf("after clean --yes there is left:\n%s", out)
		}
	}
	if left := f.folders(t); len(left) > 0 {
		t.Errorf("clean has left %v", left)
	}
}

// counted looks whether the counts of a step add up.
func counted(t *testing.T, s result.Step) {
	t.Helper()
	c := s.Counts
	if c.OK+c.Failed != c.Attempted || c.Attempted+c.Missed != c.Due {
		t.Errorf("counts that do not add up: %+v", c)
	}
	var ok, failed, classes uint64
	for _, series := range s.Series {
		ok, failed = ok+series.OK, failed+series.Failed
	}
	for _, e := range s.Errors {
		classes += e.Count
	}
	if ok != c.OK || failed != c.Failed || classes != c.Failed {
		t.Errorf("of %+v the operations make %d and %d, the classes of errors %d", c, ok, failed, classes)
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

// event finds the first event of a kind.
func event(t *testing.T, c *result.Cluster, kind string) result.Event {
	t.Helper()
	for _, e := range c.Events {
		if e.Kind == kind {
			return e
		}
	}
	t.Fatalf("there is no %s among the events: %s", kind, fmt.Sprint(c.Events))
	return result.Event{}
}

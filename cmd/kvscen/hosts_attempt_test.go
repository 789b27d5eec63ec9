//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

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

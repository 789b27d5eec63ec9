package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

// TestAKilledRunCanBeRead ends a run by kill -9 once some of it is logged. What is
// left says so everywhere, and what it had measured can be read.
func TestAKilledRunCanBeRead(t *testing.T) {
	dir := t.TempDir()
	script := `def main():
    return scenario([stores["mem"]()], [phase("w", put(keys(9).one(), value(10)), rate = 100, duration = "10m")])
`
	if err := os.WriteFile(filepath.Join(dir, "s.star"), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "kvscen", "run", "-q", "--out", "r", "s.star")
	cmd.Dir = dir
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitForLog(t, filepath.Join(dir, "r", result.LogName))
	if err := cmd.Process.Kill(); err != nil {
		t.Fatalf("kvscen ended by itself: %v\n%s", err, &said)
	}
	_ = cmd.Wait() // killed

	for _, args := range [][]string{{"report", "r"}, {"report", "--format", "html", "r"}, {"plot", "r"}, {"csv", "r"}} {
		s := kvscenIn(t, dir, args...)
		if s.status != result.StatusUsage || !strings.Contains(s.err, "was killed") || !strings.Contains(s.err, "kvscen rescue") || s.out != "" {
			t.Errorf("%q: status %d\n%s%s", args, s.status, s.out, s.err)
		}
	}
	if s := kvscenIn(t, dir, "compare", "r", "r"); s.status != result.StatusUsage || !strings.Contains(s.err, "there is no result in r") {
		t.Errorf("compare: status %d\n%s%s", s.status, s.out, s.err)
	}
	if s := kvscenIn(t, dir, "runs", "."); s.status != 0 || !strings.Contains(s.out, "was killed") {
		t.Errorf("runs: status %d\n%s%s", s.status, s.out, s.err)
	}
	s := kvscenIn(t, dir, "rescue", "r")
	if s.status != 0 || !strings.Contains(s.out, "| mem.w.put ") || !strings.Contains(s.out, "Failed and missed requests") || lies(s.out) {
		t.Errorf("rescue: status %d\n%s%s", s.status, s.out, s.err)
	}
	if s := kvscenIn(t, dir, "rescue", "--json", "r"); s.status != 0 || !strings.Contains(s.out, `"tag": "mem.w.put"`) {
		t.Errorf("rescue --json: status %d\n%s%s", s.status, s.out, s.err)
	}
}

// waitForLog waits until two seconds are in a latency log.
func waitForLog(t *testing.T, path string) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		text, err := os.ReadFile(path)
		if err == nil && bytes.Count(text, []byte("\nTag=")) >= 2 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("nothing was logged: %v", err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

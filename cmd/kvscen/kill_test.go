//go:build linux

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const (
	killMoments = 20
	killWithin  = 4 * time.Second // start-up and load, on an ordinary machine
	killEnds    = time.Minute     // by then the guards must have ended everything
)

// TestKillLeavesNothing ends kvscen by kill -9 at random moments of start-up
// and run, and looks for what it leaves behind.
func TestKillLeavesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("takes over a minute")
	}
	binary, err := exec.LookPath("kvscen")
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 0))
	caught := 0 // moments at which members were there to be left behind
	for i := range killMoments {
		after := time.Duration(random.Int64N(int64(killWithin)))
		caught += killAt(t, binary, fmt.Sprintf("moment-%d", i), after)
		if t.Failed() {
			t.Fatalf("killed %v after the start (seed %d)", after, seed)
		}
	}
	if caught == 0 {
		t.Errorf("no member was ever running when kvscen was killed: the test shows nothing (seed %d)", seed)
	}
}

// killAt kills a run after the time given, waits until nothing of it is left,
// and returns 1 if something was running at that moment.
func killAt(t *testing.T, binary, name string, after time.Duration) int {
	dir := filepath.Join(t.TempDir(), name)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "run", "-q", "--out", filepath.Join(dir, "out"), "--data", dir,
		"--set", "requests=1000000", "--set", "clients=10", "../../scenarios/write-1m.star")
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(after)
	running := len(mentioning(t, dir, cmd.Process.Pid))
	if err := cmd.Process.Kill(); err != nil {
		t.Fatalf("kvscen ended by itself: %v\n%s", err, &output)
	}
	if err := cmd.Wait(); err == nil {
		t.Fatalf("kvscen ended by itself:\n%s", &output)
	}
	deadline := time.Now().Add(killEnds)
	for {
		left := mentioning(t, dir, cmd.Process.Pid)
		if len(left) == 0 {
			return min(running, 1)
		}
		if time.Now().After(deadline) {
			t.Errorf("left behind:\n%s", strings.Join(left, "\n"))
			return 1
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// mentioning lists the command lines of all processes that name dir, but for
// the one given and this one.
func mentioning(t *testing.T, dir string, but int) []string {
	paths, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil || len(paths) == 0 {
		t.Fatalf("reading /proc: %d processes, %v", len(paths), err)
	}
	own := map[string]bool{
		fmt.Sprintf("/proc/%d/cmdline", but):         true,
		fmt.Sprintf("/proc/%d/cmdline", os.Getpid()): true,
	}
	var found []string
	for _, path := range paths {
		line, err := os.ReadFile(path)
		if err != nil || own[path] { // ended meanwhile
			continue
		}
		text := string(bytes.ReplaceAll(line, []byte{0}, []byte{' '}))
		if strings.Contains(text, dir) {
			found = append(found, path+": "+text)
		}
	}
	return found
}

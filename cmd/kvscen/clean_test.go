//go:build linux

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/host/sshtest"
)

// TestClean finds a process and a folder of a run by their marks, and removes
// them.
func TestClean(t *testing.T) {
	server := sshtest.Start(t, sshtest.Options{})
	home := sshtest.Home(t, server.Entry(), server)
	hosts := filepath.Join(home, "hosts.txt")
	dir := filepath.Join(home, "data")
	if err := os.WriteFile(hosts, []byte(server.Address+" dir="+dir+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "kvscen", "runs", "old run")
	if err := os.MkdirAll(filepath.Join(folder, "m1"), 0o755); err != nil {
		t.Fatal(err)
	}
	clean := func(args ...string) string {
		t.Helper()
		cmd, out := command(t, home, append([]string{"clean", "--hosts", hosts}, args...)...)
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return out.String()
	}
	left := exec.Command("sleep", "60")
	left.Env = append(os.Environ(), "KVSCEN_RUN="+folder)
	if err := left.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- left.Wait() }()
	t.Cleanup(func() { _ = left.Process.Kill() })
	stranger := exec.Command("sleep", "60")
	stranger.Env = append(os.Environ(), "KVSCEN_RUN=/elsewhere/kvscen/runs/old run")
	if err := stranger.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stranger.Process.Kill(); _ = stranger.Wait() })
	want := []string{"of run old run: sleep 60", "folder " + folder, "--yes removes this"}
	missing := func(text string) bool {
		return slices.ContainsFunc(want, func(w string) bool { return !strings.Contains(text, w) })
	}
	found := clean()
	for end := time.Now().Add(time.Minute); missing(found) && time.Now().Before(end); { // it may not run yet
		found = clean()
	}
	if missing(found) || strings.Contains(found, strconv.Itoa(stranger.Process.Pid)+" of") {
		t.Errorf("got %q", found)
	}
	if text := clean("--yes"); !strings.Contains(text, "clean") {
		t.Errorf("got %q", text)
	}
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("the process was left")
	}
	if _, err := os.Stat(filepath.Join(dir, "kvscen")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder was left: %v", err)
	}
	if text := clean(); !strings.Contains(text, "nothing is left") {
		t.Errorf("got %q", text)
	}
	if stranger.Process.Signal(syscall.Signal(0)) != nil {
		t.Error("a process of another folder was killed")
	}
}

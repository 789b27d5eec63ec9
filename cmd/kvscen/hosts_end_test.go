//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/kvscen/kvscen/internal/host/sshtest"
	"github.com/kvscen/kvscen/internal/result"
)

// killedOnHosts ends kvscen by kill -9 in the middle of a phase: no process is
// left, and the command finds the folders.
func killedOnHosts(t *testing.T, f *fleet) {
	before := f.folders(t) // of machines that were lost
	a := writing(t, f, f.hosts)
	for i, s := range f.Servers {
		if len(f.Left(i)) < 3 { // two guards, and a member
			t.Fatalf("on %s runs %q", s.Address, f.Left(i))
		}
	}
	if err := a.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = a.cmd.Wait() // killed
	f.allQuiet(t)
	if left := f.folders(t); len(left) != len(before)+len(f.Servers) {
		t.Errorf("the members' data are %v, and were %v before", left, before)
	}
	f.cleans(t)
}

// diskFullOnHost has one machine run out of space in the middle of a phase.
func diskFullOnHost(t *testing.T, f *fleet) {
	const full = 1
	dir := smallDisk(t)
	hosts := f.file(t, "small.txt", func(s *sshtest.Server) string {
		if s == f.Servers[full] {
			return s.Address + " dir=" + dir
		}
		return s.Address
	})
	a := f.begin(t, hosts, lostScenario, "--set", "size=65536", "--set", "seconds=120")
	run := a.ends(t, result.StatusRun)
	c := run.Clusters[0]
	died := event(t, &c, "died")
	if died.Member != c.Members[full].Name {
		t.Errorf("event %+v, want it of %s", died, c.Members[full].Name)
	}
	// The member's log is on the same disk, and can't tell.
	if first, _, _ := strings.Cut(run.Reason, ";"); !strings.Contains(first, "MB left on the disk of its data on "+f.Servers[full].Address) {
		t.Errorf("the reason does not say which machine is out of space: %s", run.Reason)
	}
	s := c.Phases[0].Steps[0]
	if s.Counts.OK == 0 {
		t.Errorf("counts %+v", s.Counts)
	}
	counted(t, s)
}

// smallDisk is a file system on which a member of etcd has little room: beside
// kvscen itself and two files of its log, of 64 MB each.
func smallDisk(t *testing.T) string {
	t.Helper()
	binary, err := exec.LookPath("kvscen")
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(binary)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	err = unix.Mount("kvscen-test", dir, "tmpfs", 0, fmt.Sprintf("size=%d", info.Size()+150<<20))
	switch {
	case err == nil:
	case os.Getenv("CI") == "true":
		t.Fatalf("mount a small file system: %v", err)
	default:
		t.Skipf("mount a small file system: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Errorf("unmount %s: %v", dir, err)
		}
	})
	return dir
}

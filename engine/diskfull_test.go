//go:build linux

package engine

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestDiskFull has a member run out of space in mid-phase, on a file system of the
// test's own. A log of etcd takes 64 MB before anything is written.
func TestDiskFull(t *testing.T) {
	data := smallDisk(t, "150m")
	r, _ := onMembers(t, twoClusters(`stores["etcd"](nodes = 1, fsync = False)`), Config{Data: data}, func(string) {})
	failedAlone(t, r, "m1.etcd")
	if !strings.Contains(r.Reason, "no space left on device") {
		t.Errorf("reason %q does not say what the disk is short of", r.Reason)
	}
}

// smallDisk mounts a file system of the size given until the test has ended.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	err := unix.Mount("kvscen-test", dir, "tmpfs", 0, "size="+size)
	switch {
	case err == nil:
	case os.Getenv("CI") == "true":
		t.Fatalf("mount a file system of %s: %v", size, err)
	default:
		t.Skipf("mount a file system of %s: %v", size, err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Errorf("unmount %s: %v", dir, err)
		}
	})
	return dir
}

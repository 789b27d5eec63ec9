//go:build linux

package engine

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/bbolt"
	"github.com/kvscen/kvscen/drivers/leveldb"
	"github.com/kvscen/kvscen/drivers/mem"
	"github.com/kvscen/kvscen/drivers/pebble"
	"github.com/kvscen/kvscen/engine/load"
	"github.com/kvscen/kvscen/internal/result"
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

// TestDiskFullInProcess does the same to stores in our own process: their requests
// fail, and we go on.
func TestDiskFullInProcess(t *testing.T) {
	for name, d := range map[string]drivers.Driver{"leveldb": leveldb.New(), "pebble": pebble.New(), "bbolt": bbolt.New()} {
		t.Run(name, func(t *testing.T) {
			cfg := Config{Data: smallDisk(t, "48m"), Drivers: map[string]drivers.Driver{name: d, "mem": mem.New()}}
			r, _ := onMembers(t, twoClusters(fmt.Sprintf("stores[%q]()", name)), cfg, func(string) {})
			if r.Status != result.StatusRun || !strings.Contains(r.Reason, "no space left on device") {
				t.Errorf("status %d, %q; want %d and a reason that says what the disk is short of", r.Status, r.Reason, result.StatusRun)
			}
			if len(r.Clusters) != 2 || r.Clusters[0].Error == "" || r.Clusters[1].Error != "" {
				t.Fatalf("clusters %+v; want one that failed, and one after it that did not", r.Clusters)
			}
			step := &r.Clusters[0].Phases[0].Steps[0]
			if step.EndedBy != load.EndMaxErrors || step.Counts.OK == 0 {
				t.Errorf("the step ended by %s with %+v", step.EndedBy, step.Counts)
			}
			addUp(t, step)
		})
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
	t.Cleanup(func() { // a store that was given up may keep its files open
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Errorf("unmount %s: %v", dir, err)
		}
	})
	return dir
}

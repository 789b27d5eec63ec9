package procfs_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/procfs"
	"github.com/kvscen/kvscen/internal/procfs/proctest"
)

type proc = proctest.Process

// reader reads one group of a host and gives its counters.
func reader(t *testing.T, h *proctest.Host, g procfs.Group) func() procfs.Processes {
	t.Helper()
	r, err := procfs.NewReader(h, procfs.Config{Groups: []procfs.Group{g}})
	if err != nil {
		t.Fatal(err)
	}
	return func() procfs.Processes {
		t.Helper()
		reading, err := r.Read()
		if err != nil {
			t.Fatal(err)
		}
		return reading.Groups[0]
	}
}

func roots(pids ...int) func() []int { return func() []int { return pids } }

const tick = 10 * time.Millisecond

func TestTreeBehindAShell(t *testing.T) {
	h := proctest.NewHost(t)
	h.Set(proc{PID: 1, Own: 5000})
	h.Set(proc{PID: 10, Parent: 1, Start: 100, Command: "sh -c (java)", Own: 1, RSS: 100})
	// The grandchild's number is below its parent's, as after a wrap.
	h.Set(proc{PID: 12, Parent: 10, Start: 110, Command: "sh", Own: 2, RSS: 200})
	h.Set(proc{PID: 11, Parent: 12, Start: 120, Command: "java", Own: 300, RSS: 4000,
		Threads:   []proctest.Thread{{ID: 11, Voluntary: 5, Involuntary: 1}, {ID: 90, Voluntary: 7, Involuntary: 2}},
		ReadBytes: 4096, WrittenBytes: 8192})
	h.Set(proc{PID: 13, Parent: 1, Start: 130, Command: "stranger", Own: 999})
	read := reader(t, h, procfs.Group{Roots: roots(10)})

	got := read()
	want := procfs.Processes{CPU: 303 * tick, RSS: 4300 * 1024, Threads: 4,
		Voluntary: 12, Involuntary: 3, ReadBytes: 4096, WriteBytes: 8192}
	if got != want {
		t.Errorf("tree = %+v, want %+v", got, want)
	}

	// A child that is born later belongs to it as well, at its first reading.
	h.Set(proc{PID: 200, Parent: 11, Start: 300, Own: 40, RSS: 10})
	h.Set(proc{PID: 201, Parent: 13, Start: 300, Own: 50})
	if got := read(); got.CPU != 343*tick || got.Threads != 5 {
		t.Errorf("with a new child: CPU %v, %d threads; want %v, 5", got.CPU, got.Threads, 343*tick)
	}
}

// TestCPUNeverGoesBack takes one child through every way to end.
func TestCPUNeverGoesBack(t *testing.T) {
	parent := proc{PID: 10, Parent: 1, Start: 100, Own: 100, Reaped: 3}
	child := proc{PID: 11, Parent: 10, Start: 200, Own: 50, Reaped: 7}
	grown := func(own, reaped int) proc { p := parent; p.Own += own; p.Reaped += reaped; return p }
	tests := []struct {
		name string
		then []proc // the parent, reading by reading, after the child has ended
		want []time.Duration
	}{
		// The child did 4 more ticks before its end.
		{"waited for", []proc{grown(1, 61), grown(2, 61)}, []time.Duration{165 * tick, 166 * tick}},
		{"nobody waited", []proc{grown(1, 0), grown(2, 0)}, []time.Duration{161 * tick, 162 * tick}},
		{"waited for after the parent was read", []proc{grown(1, 0), grown(2, 57), grown(3, 57)},
			[]time.Duration{161 * tick, 162 * tick, 163 * tick}},
		{"another, never seen, ended later", []proc{grown(1, 0), grown(1, 0), grown(1, 30)},
			[]time.Duration{161 * tick, 161 * tick, 191 * tick}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := proctest.NewHost(t)
			h.Set(parent)
			h.Set(child)
			read := reader(t, h, procfs.Group{Roots: roots(10)})
			if got := read().CPU; got != 160*tick {
				t.Fatalf("CPU = %v, want %v", got, 160*tick)
			}
			h.Remove(child.PID)
			for i, p := range tt.then {
				h.Set(p)
				if got := read().CPU; got != tt.want[i] {
					t.Errorf("reading %d: CPU = %v, want %v", i, got, tt.want[i])
				}
			}
		})
	}
}

func TestEndedThreadsAndChildrenStayCounted(t *testing.T) {
	h := proctest.NewHost(t)
	main := proctest.Thread{ID: 10, Voluntary: 10, Involuntary: 1}
	h.Set(proc{PID: 10, Start: 100, Threads: []proctest.Thread{main, {ID: 12, Voluntary: 100, Involuntary: 20}}})
	h.Set(proc{PID: 11, Parent: 10, Start: 200, WrittenBytes: 700,
		Threads: []proctest.Thread{{ID: 11, Voluntary: 1000, Involuntary: 300}}})
	read := reader(t, h, procfs.Group{Roots: roots(10)})
	if got := read(); got.Voluntary != 1110 || got.Involuntary != 321 || got.WriteBytes != 700 {
		t.Fatalf("switches %d and %d, %d bytes written; want 1110, 321, 700", got.Voluntary, got.Involuntary, got.WriteBytes)
	}
	// The child ends, the thread ends and its number is given to another.
	h.Remove(11)
	h.Set(proc{PID: 10, Start: 100, WrittenBytes: 5, Threads: []proctest.Thread{main, {ID: 12, Voluntary: 2}}})
	if got := read(); got.Voluntary != 1112 || got.Involuntary != 321 || got.WriteBytes != 700 {
		t.Errorf("after two ends: switches %d and %d, %d bytes written; want 1112, 321, 700",
			got.Voluntary, got.Involuntary, got.WriteBytes)
	}
}

func TestRootEndsAndItsNumberIsGivenAway(t *testing.T) {
	h := proctest.NewHost(t)
	h.Set(proc{PID: 10, Parent: 1, Start: 100, Own: 100})
	read := reader(t, h, procfs.Group{Roots: roots(10)})
	if got := read(); got.Err != nil {
		t.Fatal(got.Err)
	}
	h.Set(proc{PID: 10, Parent: 1, Start: 500, Own: 1})
	for range 2 {
		if got := read(); got.Err == nil {
			t.Errorf("a stranger with the root's number is counted: %+v", got)
		}
	}
}

func TestRestartedRootCountsOn(t *testing.T) {
	h := proctest.NewHost(t)
	h.Set(proc{PID: 10, Parent: 1, Start: 100, Own: 100})
	pids := []int{10}
	read := reader(t, h, procfs.Group{Roots: func() []int { return pids }})
	read()
	h.Remove(10)
	if got := read(); got.Err == nil {
		t.Errorf("no process runs and yet %+v", got)
	}
	h.Set(proc{PID: 20, Parent: 1, Start: 300, Own: 5})
	h.Set(proc{PID: 21, Parent: 20, Start: 301, Own: 6})
	if got := read(); got.Err == nil {
		t.Errorf("not yet told of the new root and yet %+v", got)
	}
	pids = []int{20}
	if got := read(); got.Err != nil || got.CPU != 111*tick {
		t.Errorf("restarted: %+v, want CPU %v", got, 111*tick)
	}
}

func TestZombieIsNotRunning(t *testing.T) {
	h := proctest.NewHost(t)
	h.Set(proc{PID: 10, State: "Z", Start: 100, Own: 100})
	if got := reader(t, h, procfs.Group{Roots: roots(10)})(); got.Err == nil {
		t.Errorf("a zombie runs: %+v", got)
	}
}

func TestAloneLeavesChildrenOut(t *testing.T) {
	h := proctest.NewHost(t)
	h.Set(proc{PID: 10, Start: 100, Own: 100, Reaped: 5000, WrittenBytes: 1 << 30, RSS: 1,
		Threads: []proctest.Thread{{ID: 10, WrittenBytes: 3}, {ID: 11, WrittenBytes: 4}}})
	h.Set(proc{PID: 20, Parent: 10, Start: 200, Own: 900, RSS: 9})
	got := reader(t, h, procfs.Group{Roots: roots(10), Alone: true})()
	want := procfs.Processes{CPU: 100 * tick, RSS: 1024, Threads: 2, WriteBytes: 7}
	if got != want {
		t.Errorf("alone = %+v, want %+v", got, want)
	}
}

func TestKernelThatCountsNoIO(t *testing.T) {
	h := proctest.NewHost(t)
	h.Set(proc{PID: 10, Start: 100, Own: 100, RSS: 1})
	for _, name := range []string{"10/io", "10/task/10/io"} {
		if err := os.Remove(filepath.Join(h.Root(), name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, alone := range []bool{false, true} {
		got := reader(t, h, procfs.Group{Roots: roots(10), Alone: alone})()
		if got.Err != nil || got.IOErr == nil || got.CPU != 100*tick || got.RSS != 1024 {
			t.Errorf("alone %v: %+v; want all but io", alone, got)
		}
	}
}

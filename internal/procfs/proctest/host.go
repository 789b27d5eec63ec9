// Package proctest lays out the /proc of a made-up host in a folder, for tests
// of what reads one.
package proctest

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Host is a host without processes whose counters are all zero. It is a
// procfs.Source.
type Host struct {
	t   testing.TB
	dir string
	// OnFetch, if set, is called before files are read. Its error is Fetch's.
	OnFetch func(patterns []string) error
}

// Process is one process of a Host.
type Process struct {
	PID, Parent  int
	Command      string // empty: "server"
	State        string // empty: "S"
	Start        int    // ticks since boot
	Own, Reaped  int    // CPU ticks: a third of each is system time
	RSS          int    // kB
	Threads      []Thread
	ReadBytes    int
	WrittenBytes int
}

// Thread is one thread of a Process.
type Thread struct {
	ID                     int
	Voluntary, Involuntary int
	WrittenBytes           int
}

// NewHost makes a Host in a folder of the test's own.
func NewHost(t testing.TB) *Host {
	t.Helper()
	h := &Host{t: t, dir: t.TempDir()}
	h.Write("uptime", "100.00 150.00\n")
	h.Write("loadavg", "0.50 0.40 0.30 1/100 4000\n")
	h.Write("meminfo", "MemTotal: 2048 kB\nMemFree: 512 kB\nMemAvailable: 1024 kB\n")
	h.Write("diskstats", "   8       0 sda 0 0 0 0 0 0 0 0 0 0 0\n")
	h.Write("net/dev", "Inter-| Receive | Transmit\n face |bytes\n    lo: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n")
	return h
}

// Root is the folder.
func (h *Host) Root() string { return h.dir }

// Fetch calls OnFetch.
func (h *Host) Fetch(patterns []string) error {
	if h.OnFetch == nil {
		return nil
	}
	return h.OnFetch(patterns)
}

// Write puts a file in its place.
func (h *Host) Write(name, content string) {
	h.t.Helper()
	path := filepath.Join(h.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		h.t.Fatal(err)
	}
}

// Remove ends a process.
func (h *Host) Remove(pid int) {
	h.t.Helper()
	if err := os.RemoveAll(filepath.Join(h.dir, strconv.Itoa(pid))); err != nil {
		h.t.Fatal(err)
	}
}

// Set starts a process or replaces it as it stands. Without threads it gets one.
func (h *Host) Set(p Process) {
	h.t.Helper()
	h.Remove(p.PID)
	if p.Command == "" {
		p.Command = "server"
	}
	if p.State == "" {
		p.State = "S"
	}
	if p.Threads == nil {
		p.Threads = []Thread{{ID: p.PID}}
	}
	dir := strconv.Itoa(p.PID)
	h.Write(dir+"/stat", fmt.Sprintf("%d (%s) %s %d 1 1 0 -1 4194304 1 2 3 4 %d %d %d %d 20 0 %d 0 %d 1000 2 %s\n",
		p.PID, p.Command, p.State, p.Parent, p.Own-p.Own/3, p.Own/3, p.Reaped-p.Reaped/3, p.Reaped/3,
		len(p.Threads), p.Start, strings.Repeat("0 ", 28)))
	h.Write(dir+"/io", ioText(p.ReadBytes, p.WrittenBytes))
	for _, t := range p.Threads {
		task := fmt.Sprintf("%s/task/%d", dir, t.ID)
		h.Write(task+"/status", fmt.Sprintf("Name:\t%s\nTgid:\t%d\nVmRSS:\t  %d kB\nThreads:\t%d\n"+
			"voluntary_ctxt_switches:\t%d\nnonvoluntary_ctxt_switches:\t%d\n",
			p.Command, p.PID, p.RSS, len(p.Threads), t.Voluntary, t.Involuntary))
		h.Write(task+"/io", ioText(0, t.WrittenBytes))
	}
}

func ioText(read, written int) string {
	return fmt.Sprintf("rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: %d\nwrite_bytes: %d\ncancelled_write_bytes: 0\n",
		read, written)
}

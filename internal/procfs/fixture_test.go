package procfs_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/kvscen/kvscen/internal/procfs"
)

// unpack lays a captured /proc out in a folder.
func unpack(t *testing.T, archive string) string {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("testdata", archive))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := txtar.Write(a, dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// mirror is a Source that copies what it is asked for from another folder, as
// one for a remote host would.
type mirror struct {
	from, to string
	asked    int
}

func (m *mirror) Root() string { return m.to }

func (m *mirror) Fetch(patterns []string) error {
	m.asked++
	for _, pattern := range patterns {
		old, _ := filepath.Glob(filepath.Join(m.to, pattern))
		for _, path := range old {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
		paths, err := filepath.Glob(filepath.Join(m.from, pattern))
		if err != nil {
			return fmt.Errorf("pattern %s: %w", pattern, err)
		}
		for _, path := range paths {
			target := filepath.Join(m.to, strings.TrimPrefix(path, m.from))
			if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
				return err
			}
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if err := os.WriteFile(target, b, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

func TestCapturedHosts(t *testing.T) {
	tests := []struct {
		archive string
		cfg     procfs.Config
		want    procfs.Reading
	}{
		{
			archive: "linux-6.18.txtar",
			cfg: procfs.Config{
				Groups:    []procfs.Group{{Roots: roots(500)}, {Roots: roots(500), Alone: true}, {Roots: roots(77)}},
				Disks:     []string{"vda"},
				Interface: "eth0",
			},
			want: procfs.Reading{
				Uptime: 1546280 * time.Millisecond,
				Groups: []procfs.Processes{
					{CPU: 10 * time.Millisecond, RSS: (1720 + 1796) * 1024, Threads: 2, Voluntary: 21, Involuntary: 2,
						ReadBytes: 401408, WriteBytes: 3162112},
					{RSS: 1720 * 1024, Threads: 1, Voluntary: 18, Involuntary: 1},
					{},
				},
				Disk: procfs.Disk{Reads: 63452, SectorsRead: 3175578, Writes: 9524, SectorsWritten: 3103200,
					Busy: 9008 * time.Millisecond},
				Net: procfs.Net{RX: 112396431, TX: 910589},
				Machine: procfs.Machine{Load1: 1.05, Available: 24283836 * 1024,
					CPUStall: 157.526571, IOStall: 3.899817, MemoryStall: 0},
			},
		},
		{
			archive: "linux-3.10.txtar",
			cfg: procfs.Config{
				Groups:    []procfs.Group{{Roots: roots(1400)}, {Roots: roots(1422), Alone: true}},
				Disks:     []string{"dm-1", "dm-0", "dm-1"},
				Interface: "eno1",
			},
			want: procfs.Reading{
				Uptime: 8640123450 * time.Millisecond,
				Groups: []procfs.Processes{
					{CPU: (20 + 57015) * tick, RSS: 561440 * 1024, Threads: 4, Voluntary: 1412166, Involuntary: 4608,
						ReadBytes: 8232960, WriteBytes: 734007296},
					{CPU: 57015 * tick, RSS: 560000 * 1024, Threads: 3, Voluntary: 1412125, Involuntary: 4601},
				},
				Disk: procfs.Disk{Reads: 898400, SectorsRead: 71990400, Writes: 6110542, SectorsWritten: 410025656,
					Busy: 4100400 * time.Millisecond},
				Net: procfs.Net{RX: 981234567890, TX: 771234567890},
				Machine: procfs.Machine{Load1: 3.25, Available: 9123456 * 1024,
					CPUStall: math.NaN(), IOStall: math.NaN(), MemoryStall: math.NaN()},
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.archive, func(t *testing.T) {
			src := &mirror{from: unpack(t, tt.archive), to: t.TempDir()}
			r, err := procfs.NewReader(src, tt.cfg)
			if err != nil {
				t.Fatal(err)
			}
			got, err := r.Read()
			if err != nil {
				t.Fatal(err)
			}
			// Printed, since NaN differs from itself.
			if g, w := fmt.Sprintf("%+v", blank(got)), fmt.Sprintf("%+v", blank(tt.want)); g != w {
				t.Errorf("reading\n%s\nwant\n%s", g, w)
			}
			if src.asked > 3 {
				t.Errorf("the host was asked %d times; one reading takes two", src.asked)
			}
		})
	}
}

// blank drops the reasons: the archives do not hold the io of threads.
func blank(r procfs.Reading) procfs.Reading {
	for i := range r.Groups {
		r.Groups[i].IOErr = nil
		if r.Groups[i].Err != nil {
			r.Groups[i] = procfs.Processes{}
		}
	}
	return r
}

func TestWhatIsMissingSaysSo(t *testing.T) {
	dir := unpack(t, "linux-3.10.txtar")
	src := &mirror{from: dir, to: t.TempDir()}
	r, err := procfs.NewReader(src, procfs.Config{
		Groups:    []procfs.Group{{Roots: roots(77)}},
		Disks:     []string{"sdz"},
		Interface: "wlan7",
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		err  error
		want string
	}{{got.Groups[0].Err, "not running"}, {got.Disk.Err, "no disk sdz"}, {got.Net.Err, "no interface wlan7"}} {
		if tt.err == nil || tt.err.Error() != tt.want {
			t.Errorf("error %v, want %q", tt.err, tt.want)
		}
	}
	// Without its clock nothing can be told of a host.
	if err := os.Remove(filepath.Join(dir, "uptime")); err != nil {
		t.Fatal(err)
	}
	if got, err := r.Read(); err == nil {
		t.Errorf("without uptime: %+v", got)
	}
}

package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/dustin/go-humanize"
	"golang.org/x/sys/unix"
)

// Disk compares the free space under dir with the bytes that a run is
// estimated to write; 0 reports the free space alone. A folder that does not
// exist yet is looked up at its nearest parent that does.
func Disk(dir string, need int64) Check {
	c := Check{Name: "free disk"}
	at := existing(dir)
	var s unix.Statfs_t
	if err := unix.Statfs(at, &s); err != nil {
		c.Status, c.Text = Warn, fmt.Sprintf("can't be read under %s: %v", at, err)
		return c
	}
	return diskSpace(at, int64(min(uint64(s.Bavail)*uint64(s.Bsize), 1<<62)), need)
}

func diskSpace(at string, free, need int64) Check {
	c := Check{Name: "free disk", Text: fmt.Sprintf("%s free under %s", bytes(free), at)}
	const low = 5 * 1000 * 1000 * 1000
	switch {
	case need > free:
		c.Status = Bad
		c.Text = fmt.Sprintf("the run is estimated to need %s, %s are free under %s", bytes(need), bytes(free), at)
		c.Advice = "free some space, choose another folder with --data, or run less (--small, --set)"
	case need > 0 && need > free/10*9:
		c.Status = Warn
		c.Text = fmt.Sprintf("the run is estimated to need %s of the %s free under %s", bytes(need), bytes(free), at)
		c.Advice = "file systems slow down when nearly full"
	case need == 0 && free < low:
		c.Status = Warn
		c.Advice = "the full write-1m needs about 8 GB"
	}
	return c
}

// Writable tries to make a file in dir, or in its nearest parent that exists.
func Writable(dir string) Check {
	at := existing(dir)
	c := Check{Name: "data folder", Text: "files can be made under " + at}
	f, err := os.CreateTemp(at, ".kvscen-probe-*")
	if err != nil {
		c.Status, c.Text = Bad, fmt.Sprintf("no file can be made: %v", err)
		c.Advice = "choose another folder with --data or --out"
		return c
	}
	f.Close()
	os.Remove(f.Name())
	return c
}

// existing is dir, or its nearest parent that exists.
func existing(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	for {
		if _, err := os.Stat(abs); err == nil {
			return abs
		}
		parent := filepath.Dir(abs)
		if parent == abs {
			return abs
		}
		abs = parent
	}
}

// The probe of a disk: what a log of a store does for each batch of requests.
const (
	fsyncs     = 20
	fsyncBytes = 4096
	fsyncSpan  = 3 * time.Second // the probe stops after it, however slow the disk
)

// Fsync measures how long the disk under dir takes to make 4 KiB durable, by
// a few real appends and fsyncs.
func Fsync(dir string) Check {
	c := Check{Name: "fsync"}
	took, err := timeFsyncs(existing(dir))
	if err != nil {
		c.Status, c.Text = Warn, fmt.Sprintf("can't be measured: %v", err)
		return c
	}
	slices.Sort(took)
	median, worst := took[len(took)/2], took[len(took)-1]
	c.Text = fmt.Sprintf("4 KiB durable in %s (median of %d), %s at most", short(median), len(took), short(worst))
	switch {
	case median > 10*time.Millisecond:
		c.Status = Warn
		c.Advice = "a store that syncs each batch will wait for this disk; expect few writes a second from one client"
	case median < 50*time.Microsecond:
		c.Status = Info
		c.Advice = "too fast for a disk: memory, a write cache or a virtual disk answers, so written data may not be durable"
	}
	return c
}

func timeFsyncs(dir string) ([]time.Duration, error) {
	f, err := os.CreateTemp(dir, ".kvscen-fsync-*")
	if err != nil {
		return nil, fmt.Errorf("making a file: %w", err)
	}
	defer os.Remove(f.Name())
	defer f.Close()
	block := make([]byte, fsyncBytes)
	var took []time.Duration
	began := time.Now()
	for range fsyncs {
		start := time.Now()
		if _, err := f.Write(block); err != nil {
			return nil, fmt.Errorf("writing 4 KiB: %w", err)
		}
		if err := f.Sync(); err != nil {
			return nil, fmt.Errorf("syncing: %w", err)
		}
		took = append(took, time.Since(start))
		if time.Since(began) > fsyncSpan {
			break
		}
	}
	return took, nil
}

// bytes prints a size in units of 1000, as the report does.
func bytes(n int64) string { return humanize.Bytes(uint64(max(n, 0))) }

// short rounds a duration to three digits or so.
func short(d time.Duration) time.Duration {
	switch {
	case d > time.Second:
		return d.Round(10 * time.Millisecond)
	case d > time.Millisecond:
		return d.Round(10 * time.Microsecond)
	}
	return d.Round(time.Microsecond / 10)
}

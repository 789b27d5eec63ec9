package doctor

import (
	"fmt"

	"github.com/dustin/go-humanize"
	"golang.org/x/sys/unix"
)

// spareFiles is how many files a process has open beside its connections:
// logs, the result, libraries, timers and pipes to members.
const spareFiles = 256

// RaiseOpenFiles lifts the soft limit of open files to the hard one, for this
// process and what it starts.
func RaiseOpenFiles() error {
	var l unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &l); err != nil {
		return fmt.Errorf("reading the limit of open files: %w", err)
	}
	if l.Cur >= l.Max {
		return nil
	}
	l.Cur = l.Max
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &l); err != nil {
		return fmt.Errorf("raising the limit of open files to %d: %w", l.Max, err)
	}
	return nil
}

// OpenFiles compares the limit of open files with the number of connections
// that a run holds at once; 0 reports the limit alone.
func OpenFiles(connections int) Check {
	var l unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &l); err != nil {
		return Check{Name: "open files", Status: Warn, Text: "limit unknown: " + err.Error()}
	}
	return openFiles(l.Cur, l.Max, connections)
}

func openFiles(soft, hard uint64, connections int) Check {
	c := Check{Name: "open files", Text: fmt.Sprintf("limit %s, at most %s", count(soft), count(hard))}
	need := uint64(max(connections, 0)) + spareFiles
	switch {
	case connections > 0 && need > soft:
		c.Status = Bad
		c.Text = fmt.Sprintf("%s connections need about %s open files, the limit is %s",
			count(uint64(connections)), count(need), count(soft))
		c.Advice = fmt.Sprintf("use fewer connections, or raise the limit: ulimit -n %d", need)
	case connections == 0 && hard < 4096:
		c.Status = Warn
		c.Advice = "a run with 1,000 clients on several members needs some thousands"
	}
	return c
}

// count prints n with thousands separated; the largest value is no limit.
func count(n uint64) string {
	if n >= 1<<62 {
		return "unlimited"
	}
	return humanize.Comma(int64(n))
}

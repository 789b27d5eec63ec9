// Package procfs turns the /proc of one host into counters: of process trees,
// of the disk under a data folder, of a network interface, and of the machine
// as a whole, all stamped with the host's own monotonic clock. Counters only
// grow; Rate turns two of them into a figure for the time that really passed.
package procfs

import (
	"errors"
	"os"
	"time"
)

// ErrNoProc is the error of Local on a system without /proc.
var ErrNoProc = errors.New("no /proc here")

// A Source brings the /proc of one host before the reader's eyes.
type Source interface {
	// Root is a folder laid out like /proc.
	Root() string
	// Fetch makes what matches the patterns current below Root, all in one
	// go, and removes what is gone on the host. Patterns are path.Match's,
	// relative to Root. Where Root is the host's own /proc there is nothing
	// to do.
	Fetch(patterns []string) error
}

// A Denier is a Source that knows which files are there but may not be read.
type Denier interface {
	Denied(name string) bool // name is relative to Root
}

// A Clock is a Source that tells the host's uptime more finely than the 10 ms
// of its uptime file.
type Clock interface {
	Uptime() (time.Duration, error)
}

// Local is this machine's own /proc.
func Local() (Source, error) {
	if _, err := os.Stat("/proc/uptime"); err != nil {
		return nil, ErrNoProc
	}
	return local{}, nil
}

type local struct{}

func (local) Root() string         { return "/proc" }
func (local) Fetch([]string) error { return nil }

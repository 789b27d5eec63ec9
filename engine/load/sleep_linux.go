package load

import (
	"time"

	"golang.org/x/sys/unix"
)

// sleep waits with the precision of the kernel, some 60 µs; Go's timers round up
// to milliseconds when the process has nothing else to do.
func sleep(d time.Duration) {
	t := unix.NsecToTimespec(int64(d))
	// An interrupted sleep is as good as one that ended: the caller looks at
	// the clock.
	_ = unix.ClockNanosleep(unix.CLOCK_MONOTONIC, 0, &t, nil)
}

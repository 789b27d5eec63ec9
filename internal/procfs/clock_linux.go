package procfs

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

var _ Clock = local{}

// Uptime reads the clock that /proc/uptime prints, in nanoseconds.
func (local) Uptime() (time.Duration, error) {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &t); err != nil {
		return 0, fmt.Errorf("reading the boot clock: %w", err)
	}
	return time.Duration(t.Nano()), nil
}

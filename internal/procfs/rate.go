package procfs

import (
	"math"
	"time"
)

// Rate is how fast a counter grew, a second. It is NaN, a gap, where no time
// passed, where one of the two is a gap, and where the counter went back, as
// after a restart: nothing is made up.
func Rate(before, after float64, passed time.Duration) float64 {
	if passed <= 0 {
		return math.NaN()
	}
	return Growth(before, after) / passed.Seconds()
}

// Growth is how much a counter grew; NaN where one of the two is a gap or the
// counter went back.
func Growth(before, after float64) float64 {
	if !(after >= before) {
		return math.NaN()
	}
	return after - before
}

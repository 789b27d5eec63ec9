package plan

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// plural counts things.
func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// commas groups the digits of a number by thousands.
func commas(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

// roughly prints a size as roughly as it is known: a whole number of the largest
// unit that gives one.
func roughly(bytes int64) string {
	size, unit := float64(bytes), "B"
	for _, next := range []string{"kB", "MB", "GB", "TB"} {
		if size < 999.5 {
			break
		}
		size, unit = size/1000, next
	}
	return fmt.Sprintf("%.0f %s", size, unit)
}

// about prints a time as roughly as it is known.
func about(d time.Duration) string {
	switch {
	case d <= 0:
		return "for a time that can't be foretold"
	case d < 90*time.Second:
		return fmt.Sprintf("about %d s", int(math.Ceil(d.Seconds())))
	case d < 2*time.Hour:
		return fmt.Sprintf("about %.0f min", d.Minutes())
	}
	return fmt.Sprintf("about %.0f h", d.Hours())
}

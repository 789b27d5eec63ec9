package builtins

import "time"

// durationUnit is the length of a unit of time.
func durationUnit(name string) (time.Duration, bool) {
	switch name {
	case "ns":
		return time.Nanosecond, true
	case "us":
		return time.Microsecond, true
	case "ms":
		return time.Millisecond, true
	case "s":
		return time.Second, true
	case "min":
		return time.Minute, true
	case "h":
		return time.Hour, true
	}
	return 0, false
}

// byteUnit is the bytes of a unit of size.
func byteUnit(name string) (float64, bool) {
	switch name {
	case "B":
		return 1, true
	case "kB", "KB":
		return 1e3, true
	case "MB":
		return 1e6, true
	case "GB":
		return 1e9, true
	case "TB":
		return 1e12, true
	case "KiB":
		return 1 << 10, true
	case "MiB":
		return 1 << 20, true
	case "GiB":
		return 1 << 30, true
	case "TiB":
		return 1 << 40, true
	}
	return 0, false
}

// unitFor is the unit of a column of durations of which the largest is d.
func unitFor(d time.Duration) string {
	switch {
	case d < time.Microsecond:
		return "ns"
	case d < time.Millisecond:
		return "us"
	case d < 10*time.Second:
		return "ms"
	}
	return "s"
}

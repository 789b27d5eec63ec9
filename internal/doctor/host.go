package doctor

import (
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Proc says whether the figures of processes and hosts can be sampled.
func Proc(m Machine) Check {
	c := Check{Name: "/proc", Text: "processes and host can be sampled"}
	var missing []string
	for _, path := range []string{"self/stat", "self/io", "stat", "diskstats", "net/dev", "uptime"} {
		if m.read("proc/"+path) == "" {
			missing = append(missing, "/proc/"+path)
		}
	}
	switch {
	case len(missing) == 6:
		c.Status, c.Text = Info, "there is none: CPU, memory, disk and network figures will be n/a"
	case len(missing) > 0:
		c.Status, c.Text = Warn, "can't be read: "+strings.Join(missing, ", ")
		c.Advice = "the figures that come from these files will be n/a"
	case m.read("proc/pressure/io") == "":
		c.Text += "; no pressure figures (/proc/pressure)"
	}
	return c
}

// clockReads is how many clock reads are timed: some 100 µs of them.
const clockReads = 2000

// Clock names the kernel's clock source and measures what reading it costs.
// Every request reads it twice.
func Clock(m Machine) Check {
	start := time.Now()
	last := start
	for range clockReads {
		last = time.Now()
	}
	cost := last.Sub(start) / clockReads
	return clock(m.read("sys/devices/system/clocksource/clocksource0/current_clocksource"), cost)
}

func clock(source string, cost time.Duration) Check {
	c := Check{Name: "clock", Text: fmt.Sprintf("%d ns a read", cost.Nanoseconds())}
	if source != "" {
		c.Text = source + ", " + c.Text
	}
	if cost > 500*time.Nanosecond {
		c.Status = Warn
		c.Advice = "slow: the clock is read by a system call; times below 10 µs will be off"
	}
	return c
}

// Governor names the CPU frequency governors in use.
func Governor(m Machine) Check {
	c := Check{Name: "cpu", Text: fmt.Sprintf("%d cores", runtime.NumCPU())}
	if runtime.NumCPU() < 4 {
		c.Status = Info
		c.Advice = "client and servers will share these cores, so the result shows the machine as much as the store"
	}
	names := governors(m)
	if len(names) == 0 {
		c.Text += ", governor not known (a virtual machine, perhaps)"
		return c
	}
	c.Text += ", governor " + strings.Join(names, ", ")
	if slices.ContainsFunc(names, func(n string) bool { return n != "performance" }) {
		c.Status = Warn
		c.Advice = "for steady numbers: cpupower frequency-set -g performance"
	}
	return c
}

// governors are the distinct governors of all cores, sorted.
func governors(m Machine) []string {
	paths, err := fs.Glob(m.Files, "sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor")
	if err != nil {
		return nil
	}
	var names []string
	for _, p := range paths {
		if n := m.read(p); n != "" {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

package doctor

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"
)

// Memory compares the memory that is available with the bytes that a run is
// known to need in the client; 0 reports what is available alone. Where the
// machine doesn't say, the check is Info.
func Memory(m Machine, need int64) Check {
	c := Check{Name: "memory"}
	free, ok := available(m.read("proc/meminfo"))
	if !ok {
		c.Status, c.Text = Info, "available memory is not known here"
		return c
	}
	c.Text = bytes(free) + " available"
	if need > free {
		c.Status = Bad
		c.Text = fmt.Sprintf("the connections need about %s, %s are available", bytes(need), bytes(free))
		c.Advice = "use fewer connections"
	}
	return c
}

// available reads MemAvailable of /proc/meminfo, in bytes.
func available(meminfo string) (int64, bool) {
	lines := bufio.NewScanner(strings.NewReader(meminfo))
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) < 2 || f[0] != "MemAvailable:" {
			continue
		}
		kib, err := strconv.ParseInt(f[1], 10, 64)
		return kib * 1024, err == nil
	}
	return 0, false
}

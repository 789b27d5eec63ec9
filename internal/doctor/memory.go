package doctor

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"
)

// Memory compares the memory that is available with the bytes that a run is
// known to need in the client, and with those that its members are likely to;
// 0 and 0 report what is available alone. Where the machine doesn't say, the
// check is Info.
func Memory(m Machine, need, members int64) Check {
	c := Check{Name: "memory"}
	free, ok := available(m.read("proc/meminfo"))
	if !ok {
		c.Status, c.Text = Info, "available memory is not known here"
		return c
	}
	c.Text = bytes(free) + " available"
	switch {
	case need > free:
		c.Status = Bad
		c.Text = fmt.Sprintf("the connections need about %s, %s are available", bytes(need), bytes(free))
		c.Advice = "use fewer connections"
	case need+members > free:
		c.Status = Warn
		c.Text = fmt.Sprintf("the members are likely to need %s when they hold what is written, %s are available", bytes(members), bytes(free))
		c.Advice = "write less, start fewer members, or set what the store's recipe says of memory"
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

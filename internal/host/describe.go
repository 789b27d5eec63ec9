package host

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// Description is what a machine is. What can't be read is empty.
type Description struct {
	Arch    string // in Go's words
	System  string // "Debian GNU/Linux 12 (bookworm)"
	Kernel  string
	Cores   int
	Memory  int64  // bytes
	CPUInfo string // /proc/cpuinfo of its first core
}

// describeScript prints a line each of the kernel, the cores that are on, the
// memory in KiB and the system, and then what the kernel says of the first core.
const describeScript = `uname -r
getconf _NPROCESSORS_ONLN 2>/dev/null || grep -c '^processor' /proc/cpuinfo || echo
sed -n 's/^MemTotal: *\([0-9]*\) kB$/\1/p' /proc/meminfo 2>/dev/null | grep . || echo
(. /etc/os-release && printf '%s\n' "$PRETTY_NAME") 2>/dev/null || echo
sed '/^$/q' /proc/cpuinfo 2>/dev/null
grep '^Model' /proc/cpuinfo 2>/dev/null
true`

// Describe asks a machine what it is.
func (r *Remote) Describe(ctx context.Context) (Description, error) {
	out, err := r.Run(ctx, describeScript)
	if err != nil {
		return Description{}, fmt.Errorf("ask %s what it is: %w", r.Name(), err)
	}
	d := describe(out)
	d.Arch = r.arch
	return d, nil
}

func describe(text string) Description {
	lines := strings.SplitN(text, "\n", 5)
	for len(lines) < 5 {
		lines = append(lines, "")
	}
	d := Description{Kernel: lines[0], System: lines[3], CPUInfo: lines[4]}
	d.Cores, _ = strconv.Atoi(lines[1]) // what is no number is not known
	kib, _ := strconv.ParseInt(lines[2], 10, 64)
	d.Memory = max(0, kib) << 10
	return d
}

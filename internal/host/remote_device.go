package host

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kvscen/kvscen/internal/host/sshlink"
)

// RealPath is a path that exists there, without symbolic links.
func (r *Remote) RealPath(name string) (string, error) {
	out, err := r.sh("readlink -f %s", sshlink.Quote(name))
	if err != nil {
		return "", fmt.Errorf("find %s on %s: %w", name, r.Name(), err)
	}
	return strings.TrimSuffix(out, "\n"), nil
}

// DeviceOf is the major:minor of the device that a path there is, or lies on.
func (r *Remote) DeviceOf(name string) (string, error) {
	out, err := r.sh("stat -L -c '%%f %%d %%t %%T' %s", sshlink.Quote(name))
	if err != nil {
		return "", fmt.Errorf("find the device of %s on %s: %w", name, r.Name(), err)
	}
	return parseDevice(out)
}

// parseDevice reads what stat prints: the mode in hexadecimal digits, the number
// of the device that the file lies on, and the two parts of the one that it is.
func parseDevice(text string) (string, error) {
	f := strings.Fields(text)
	if len(f) != 4 {
		return "", fmt.Errorf("stat prints %q", text)
	}
	var n [4]uint64
	for i, base := range []int{16, 10, 16, 16} {
		var err error
		if n[i], err = strconv.ParseUint(f[i], base, 64); err != nil {
			return "", fmt.Errorf("stat prints %q: %w", text, err)
		}
	}
	const (
		kind  = 0o170000 // of Linux, whatever system we are on
		block = 0o060000
	)
	if n[0]&kind == block {
		return fmt.Sprintf("%d:%d", n[2], n[3]), nil
	}
	// The numbers are Linux's, whose packing differs from that of other systems.
	major, minor := n[1]>>8&0xfff|n[1]>>32&^0xfff, n[1]&0xff|n[1]>>12&0xffffff00
	return fmt.Sprintf("%d:%d", major, minor), nil
}

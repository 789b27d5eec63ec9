package host

import (
	"fmt"
	"strconv"
	"strings"
	"syscall"

	"github.com/kvscen/kvscen/internal/host/sshlink"
)

// Space is the number of bytes that an ordinary user may still write to the file
// system of a folder.
func (Local) Space(dir string) (int64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, fmt.Errorf("read the space left for %s: %w", dir, err)
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}

// Space is the number of bytes that an ordinary user may still write to the file
// system of a folder there.
func (r *Remote) Space(dir string) (int64, error) {
	out, err := r.sh("df -P -k %s", sshlink.Quote(dir))
	if err != nil {
		return 0, fmt.Errorf("read the space left for %s on %s: %w", dir, r.Name(), err)
	}
	n, err := parseSpace(out)
	if err != nil {
		return 0, fmt.Errorf("read the space left for %s on %s: %w", dir, r.Name(), err)
	}
	return n, nil
}

// parseSpace reads what df prints for one folder: a heading, and a line whose
// fourth field is in KiB. The first may hold blanks, so that they are counted from
// the one with the percent sign, which comes next.
func parseSpace(text string) (int64, error) {
	_, line, _ := strings.Cut(text, "\n")
	f := strings.Fields(line)
	for i := 1; i < len(f); i++ {
		if !strings.HasSuffix(f[i], "%") {
			continue
		}
		if n, err := strconv.ParseInt(f[i-1], 10, 64); err == nil {
			return n << 10, nil
		}
	}
	return 0, fmt.Errorf("df prints %q", text)
}

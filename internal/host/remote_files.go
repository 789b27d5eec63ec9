package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/kvscen/kvscen/internal/host/sshlink"
)

// sh runs a script there within the limits of a command.
func (r *Remote) sh(format string, args ...any) (string, error) {
	return r.Run(context.Background(), fmt.Sprintf(format, args...))
}

// LookPath finds a program in PATH, or checks the path given, and makes it
// absolute.
func (r *Remote) LookPath(name string) (string, error) {
	script := `p=$(command -v %[1]s) || exit 1
case $p in */*) ;; *) exit 1;; esac
case $p in /*) ;; *) p=$PWD/$p;; esac
[ -f "$p" ] && [ -x "$p" ] && printf %%s "$p"`
	out, err := r.sh(script, sshlink.Quote(name))
	if _, ok := errors.AsType[*sshlink.ExitError](err); ok || err == nil && out == "" {
		return "", fmt.Errorf("the program %q is not installed on %s, or can't be run there", name, r.Name())
	}
	return out, err
}

// Glob lists the files that match pattern, sorted.
func (r *Remote) Glob(pattern string) ([]string, error) {
	if _, err := path.Match(pattern, ""); err != nil || strings.ContainsAny(pattern, "\n\x00") {
		return nil, fmt.Errorf("match %q: it is no pattern", pattern)
	}
	out, err := r.sh(`for f in %s; do [ -e "$f" ] && printf '%%s\n' "$f"; done; true`, globWord(pattern))
	if err != nil {
		return nil, fmt.Errorf("match %q: %w", pattern, err)
	}
	found := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if out == "" {
		return nil, nil
	}
	slices.Sort(found)
	return found, nil
}

// globWord quotes all but the signs of a pattern.
func globWord(pattern string) string {
	var b strings.Builder
	for _, c := range pattern {
		if strings.ContainsRune("*?[]-", c) {
			b.WriteRune(c)
			continue
		}
		b.WriteString(sshlink.Quote(string(c)))
	}
	return b.String()
}

// MkdirAll makes a folder and those above it, and proves that a file can be
// written there.
func (r *Remote) MkdirAll(dir string) error {
	_, err := r.sh(`mkdir -p %[1]s && { [ -w %[1]s ] || { echo "the folder is not writable" >&2; exit 1; }; }`, sshlink.Quote(dir))
	return err
}

// WriteFile writes a whole file and makes the folders above it.
func (r *Remote) WriteFile(name string, text []byte) error {
	// Configurations may hold passwords.
	script := fmt.Sprintf("mkdir -p %s && umask 077 && cat >%s", sshlink.Quote(path.Dir(name)), sshlink.Quote(name))
	_, err := r.link.Run(context.Background(), sshlink.Command{
		Script: script, Stdin: bytes.NewReader(text), Moves: true, Sudo: r.spec.Sudo,
	})
	return err
}

// RemoveAll removes path and what is in it, and the folders above it as long as
// they are empty and of this run; it need not exist.
func (r *Remote) RemoveAll(name string) error {
	script := fmt.Sprintf("rm -rf %s\n", sshlink.Quote(name))
	for up := path.Dir(name); strings.HasPrefix(up, r.Folder("")); up = path.Dir(up) {
		script += fmt.Sprintf("rmdir %s 2>/dev/null && \\\n", sshlink.Quote(up))
	}
	_, err := r.link.Run(context.Background(), sshlink.Command{Script: script + "true", Moves: true, Sudo: r.spec.Sudo})
	if _, ok := errors.AsType[*sshlink.ExitError](err); ok {
		_, err = r.sh("rm -rf %s", sshlink.Quote(name))
	}
	return err
}

// DiskUsage is the number of bytes allocated on the disk to dir and all that is
// in it.
func (r *Remote) DiskUsage(dir string) (int64, error) {
	// Files that vanish meanwhile make du complain, but not stop.
	out, err := r.sh("du -sk %s 2>/dev/null; true", sshlink.Quote(dir))
	if err != nil {
		return 0, fmt.Errorf("read the disk usage of %s on %s: %w", dir, r.Name(), err)
	}
	number, _, _ := strings.Cut(out, "\t")
	kib, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("read the disk usage of %s on %s: there is no such folder", dir, r.Name())
	}
	return kib << 10, nil
}

// Ports tells which TCP and UDP ports are in use there, and the range of those
// for outgoing connections, as the kernel prints it.
func (r *Remote) Ports() (used map[int]bool, ephemeral string, err error) {
	out, err := r.sh(`cat /proc/sys/net/ipv4/ip_local_port_range || echo
cat /proc/net/tcp /proc/net/tcp6 /proc/net/udp /proc/net/udp6 2>/dev/null; true`)
	if err != nil {
		return nil, "", fmt.Errorf("read the ports in use on %s: %w", r.Name(), err)
	}
	ephemeral, sockets, _ := strings.Cut(out, "\n")
	return usedPorts(sockets), ephemeral, nil
}

// usedPorts reads the local ports of the kernel's tables of sockets.
func usedPorts(text string) map[int]bool {
	used := make(map[int]bool)
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		_, hex, _ := strings.Cut(fields[1], ":")
		if port, err := strconv.ParseUint(hex, 16, 16); err == nil {
			used[int(port)] = true
		}
	}
	return used
}

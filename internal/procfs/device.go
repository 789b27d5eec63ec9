package procfs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	prom "github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// Device is the block device under a folder. A partition is taken as it is, for
// its own counters are what the folder's file system did; so is a device of the
// mapper, and not the disks below it.
type Device struct {
	Name       string // in diskstats: "sda1"
	FileSystem string // "ext4"; known also with most errors of FindDevice
}

// FindDevice finds the block device under a folder of this machine, or under
// its nearest parent that exists. The error says what is there instead.
func FindDevice(src Source, dir string) (Device, error) {
	dir, err := nearest(dir)
	if err != nil {
		return Device{}, err
	}
	number, err := deviceOf(dir)
	if err != nil {
		return Device{}, err
	}
	fs, err := prom.NewFS(src.Root())
	if err != nil {
		return Device{}, fmt.Errorf("finding the device of %s: %w", dir, err)
	}
	mounts, err := fs.GetMounts()
	if err != nil {
		return Device{}, fmt.Errorf("finding the device of %s: %w", dir, err)
	}
	disks, err := diskNames(src.Root())
	if err != nil {
		return Device{}, fmt.Errorf("finding the device of %s: %w", dir, err)
	}
	return devices{mounts: mounts, disks: disks, number: deviceOf}.under(dir, number, maxLayers)
}

// maxLayers bounds overlays on overlays.
const maxLayers = 4

// devices is what is known of a host's mounts and disks.
type devices struct {
	mounts []*prom.MountInfo
	disks  map[string]string                 // name in diskstats by "major:minor"
	number func(path string) (string, error) // of a device file itself, else of what a path lies on
}

// under finds the device of a folder whose device number is known.
func (d devices) under(dir, number string, layers int) (Device, error) {
	m := d.mount(dir, number)
	if m == nil {
		return Device{}, fmt.Errorf("no mount holds %s", dir)
	}
	dev := Device{FileSystem: m.FSType}
	if name, ok := d.disks[number]; ok {
		dev.Name = name
		return dev, nil
	}
	// btrfs and others number their parts anew but name the device.
	if strings.HasPrefix(m.Source, "/dev/") {
		if n, err := d.number(m.Source); err == nil && d.disks[n] != "" {
			dev.Name = d.disks[n]
			return dev, nil
		}
	}
	if upper := m.SuperOptions["upperdir"]; m.FSType == "overlay" && upper != "" && layers > 0 {
		n, err := d.number(upper)
		if err != nil {
			return dev, errors.New("overlay: its upper folder is not in sight")
		}
		below, err := d.under(upper, n, layers-1)
		dev.Name = below.Name
		return dev, err
	}
	return dev, fmt.Errorf("%s: no block device of its own", m.FSType)
}

// mount finds the mount that holds dir: of those with its number, or else of
// all, the one with the longest path; of equals the last, which hides the rest.
func (d devices) mount(dir, number string) *prom.MountInfo {
	var best *prom.MountInfo
	bestNumbered, bestLen := false, -1
	for _, m := range d.mounts {
		point := unescape(m.MountPoint)
		if !within(dir, point) {
			continue
		}
		numbered := m.MajorMinorVer == number
		if numbered == bestNumbered && len(point) < bestLen || bestNumbered && !numbered {
			continue
		}
		best, bestNumbered, bestLen = m, numbered, len(point)
	}
	return best
}

func within(dir, point string) bool {
	rest, ok := strings.CutPrefix(dir, strings.TrimSuffix(point, "/"))
	return ok && (rest == "" || rest[0] == '/')
}

var octal = regexp.MustCompile(`\\[0-7]{3}`)

// unescape undoes mountinfo's octal escapes of blanks and backslashes.
func unescape(s string) string {
	return octal.ReplaceAllStringFunc(s, func(e string) string {
		n, err := strconv.ParseUint(e[1:], 8, 8)
		if err != nil {
			return e
		}
		return string([]byte{byte(n)})
	})
}

// nearest is dir, or its closest parent that exists, without symbolic links.
func nearest(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("finding %s: %w", dir, err)
	}
	for {
		real, err := filepath.EvalSymlinks(abs)
		if err == nil {
			return real, nil
		}
		if parent := filepath.Dir(abs); errors.Is(err, os.ErrNotExist) && parent != abs {
			abs = parent
			continue
		}
		return "", fmt.Errorf("finding %s: %w", dir, err)
	}
}

// deviceOf is the number of the device that path is, or lies on.
func deviceOf(path string) (string, error) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return "", &os.PathError{Op: "stat", Path: path, Err: err}
	}
	number := uint64(st.Dev)
	if st.Mode&unix.S_IFMT == unix.S_IFBLK {
		number = uint64(st.Rdev)
	}
	return fmt.Sprintf("%d:%d", unix.Major(number), unix.Minor(number)), nil
}

package procfs

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math/bits"
	"net/netip"
	"os"
	"path/filepath"
	"strings"

	prom "github.com/prometheus/procfs"
)

// FindDeviceElsewhere is FindDevice for a folder of another host: the folder must
// exist there and be without symbolic links, and number must give the
// major:minor of the device that a path there is, or lies on.
func FindDeviceElsewhere(src Source, dir string, number func(path string) (string, error)) (Device, error) {
	failed := func(err error) (Device, error) {
		return Device{}, fmt.Errorf("finding the device of %s: %w", dir, err)
	}
	if err := src.Fetch([]string{"self/mountinfo", "diskstats"}); err != nil {
		return failed(err)
	}
	fs, err := prom.NewFS(src.Root())
	if err != nil {
		return failed(err)
	}
	mounts, err := fs.GetMounts()
	if err != nil {
		return failed(err)
	}
	disks, err := diskNames(src.Root())
	if err != nil {
		return failed(err)
	}
	n, err := number(dir)
	if err != nil {
		return failed(err)
	}
	return devices{mounts: mounts, disks: disks, number: number}.under(dir, n, maxLayers)
}

// FindInterface finds the network interface that has an address of the host: by
// the table of IPv6 addresses, or by the most narrow route that holds it.
func FindInterface(src Source, address string) (name string, loopback bool, err error) {
	addr, err := netip.ParseAddr(address)
	if err != nil {
		return "", false, fmt.Errorf("finding the interface of %s: %w", address, err)
	}
	addr = addr.Unmap()
	if addr.IsLoopback() {
		return "lo", true, nil
	}
	if err := src.Fetch([]string{"net/route", "net/if_inet6"}); err != nil {
		return "", false, fmt.Errorf("finding the interface of %s: %w", address, err)
	}
	file, find := "net/route", routeTo
	if addr.Is6() {
		file, find = "net/if_inet6", holderOf
	}
	text, err := os.ReadFile(filepath.Join(src.Root(), file))
	if err != nil {
		return "", false, fmt.Errorf("finding the interface of %s: %w", address, err)
	}
	if name = find(string(text), addr); name == "" {
		return "", false, fmt.Errorf("finding the interface of %s: %w", address, errors.New("no interface has it"))
	}
	return name, false, nil
}

// routeTo is the interface of the most narrow route to addr in /proc/net/route,
// whose numbers are in the byte order of the host: little-endian, as on every
// machine that members run on.
func routeTo(table string, addr netip.Addr) string {
	best, name := -1, ""
	four := addr.As4()
	to := binary.LittleEndian.Uint32(four[:])
	for line := range strings.Lines(table) {
		f := strings.Fields(line)
		if len(f) < 8 {
			continue
		}
		var destination, mask uint32
		if _, err := fmt.Sscanf(f[1]+" "+f[7], "%X %X", &destination, &mask); err != nil {
			continue // the heading
		}
		if width := bits.OnesCount32(mask); to&mask == destination && width > best {
			best, name = width, f[0]
		}
	}
	return name
}

// holderOf is the interface that has addr in /proc/net/if_inet6.
func holderOf(table string, addr netip.Addr) string {
	sixteen := addr.As16()
	want := hex.EncodeToString(sixteen[:])
	for line := range strings.Lines(table) {
		if f := strings.Fields(line); len(f) == 6 && f[0] == want {
			return f[5]
		}
	}
	return ""
}

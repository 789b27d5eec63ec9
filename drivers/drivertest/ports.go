package drivertest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// Ports are taken from below the range of outgoing connections: one that is made
// to a port of that range while its server is down may be given the same port,
// and so be connected with itself, or keep the server from coming back.
const (
	lowestPort  = 10000
	highestPort = 31999
	portBlock   = 50 // ports under one lock
)

// Ports gives ports of the loopback interface that are free for TCP and UDP, and
// that no other test takes until this one has ended, in whatever process it runs:
// a server may be stopped and started again on them. Nor does kvscen give them to
// members, for it keeps the same locks.
func Ports(t testing.TB, n int) []int {
	t.Helper()
	dir := portLocks()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatalf("make the folder of port locks: %v", err)
	}
	const blocks = (highestPort - lowestPort + 1) / portBlock
	var free []int
	start := rand.IntN(blocks)
	for i := range blocks {
		first := lowestPort + (start+i)%blocks*portBlock
		if !lockPorts(t, filepath.Join(dir, strconv.Itoa(first))) {
			continue
		}
		// Not from the first on: who keeps no locks must not meet us there.
		for _, offset := range rand.Perm(portBlock) {
			port := first + offset
			if !bindable(port) {
				continue
			}
			if free = append(free, port); len(free) == n {
				return free
			}
		}
	}
	t.Fatalf("found %d free ports between %d and %d, want %d", len(free), lowestPort, highestPort, n)
	return nil
}

// portLocks is the folder of the locks. It is not the test's own for temporary
// files: all tests and all runs of kvscen must agree on it.
func portLocks() string { return "/tmp/kvscen-ports-" + strconv.Itoa(os.Getuid()) }

// lockPorts holds the lock of a block until the test has ended; false: somebody
// else has it.
func lockPorts(t testing.TB, path string) bool {
	t.Helper()
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatalf("lock a block of ports: %v", err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		return false
	}
	t.Cleanup(func() { file.Close() })
	return true
}

func bindable(port int) bool {
	addr := fmt.Sprintf("127.0.0.1:%d", port)
	tcp, err := net.Listen("tcp", addr)
	if err != nil {
		return false
	}
	defer tcp.Close()
	udp, err := net.ListenPacket("udp", addr)
	if err != nil {
		return false
	}
	return udp.Close() == nil
}

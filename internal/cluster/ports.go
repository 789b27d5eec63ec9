package cluster

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Ports are taken from here, or from below the ephemeral range if that starts
// lower: a port of that range could be given to an outgoing connection between
// our look at it and the member's start.
const (
	lowestPort  = 10000
	highestPort = 31999
)

// blockSize is how many ports go under one lock.
const blockSize = 50

// ports hands out free TCP and UDP ports and keeps them apart from those of
// other clusters: in this process and, by a locked file for each block of ports,
// in every other one of the same user. The locks end with the process. A program
// of somebody else that takes a port before the member does makes the member
// fail, and its log say why.
type ports struct {
	dir   string         // of the lock files; empty: of another machine, where nothing is locked
	used  map[int]bool   // there
	first int            // the range to take from, and how many
	n     int            //
	locks []*os.File     //
	left  []int          // of the blocks that are ours, not yet looked at
	byRef map[string]int // what was handed out
}

// newPorts makes the folder of the locks if need be.
func newPorts() (*ports, error) {
	// Not the folder that TMPDIR names: all runs must agree on it.
	dir := "/tmp/kvscen-ports-" + strconv.Itoa(os.Getuid())
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of port locks: %w", err)
	}
	first, n := portRange()
	return &ports{dir: dir, first: first, n: n, byRef: make(map[string]int)}, nil
}

// remotePorts hands out ports of another machine, of which those in use are
// known. Nothing keeps another run of kvscen from taking the same ones, but that
// each begins somewhere at random; two runs on one machine would disturb each
// other's figures anyway.
func remotePorts(used map[int]bool, ephemeral string) *ports {
	first, n := below(ephemeral)
	p := &ports{used: used, first: first, n: n, byRef: make(map[string]int)}
	start := rand.IntN(n)
	for i := range n {
		p.left = append(p.left, first+(start+i)%n)
	}
	return p
}

// named is the port of a reference: a new one at its first mention.
func (p *ports) named(ref, ip string) (string, error) {
	if port, ok := p.byRef[ref]; ok {
		return strconv.Itoa(port), nil
	}
	for range p.n {
		if len(p.left) == 0 && p.dir == "" {
			break
		}
		if len(p.left) == 0 {
			if err := p.lockBlock(p.first, p.n); err != nil {
				return "", err
			}
		}
		port := p.left[0]
		p.left = p.left[1:]
		if p.free(ip, port) {
			p.byRef[ref] = port
			return strconv.Itoa(port), nil
		}
	}
	return "", fmt.Errorf("no free port on %s between %d and %d", ip, p.first, p.first+p.n-1)
}

// free reports whether a port can be taken.
func (p *ports) free(ip string, port int) bool {
	if p.dir == "" {
		return !p.used[port]
	}
	return bindable(ip, port)
}

// lockBlock makes a block of the n ports from first on ours, beginning the
// search anywhere.
func (p *ports) lockBlock(first, n int) error {
	blocks := n / blockSize
	start := rand.IntN(blocks)
	for i := range blocks {
		from := first + (start+i)%blocks*blockSize
		ok, err := p.lock(from)
		if err != nil {
			return fmt.Errorf("lock a block of ports: %w", err)
		}
		if ok {
			for port := range blockSize {
				p.left = append(p.left, from+port)
			}
			return nil
		}
	}
	return fmt.Errorf("every port between %d and %d is in use or kept by another run of kvscen", first, first+n-1)
}

// lock locks the block that begins at a port; false: somebody else has it.
func (p *ports) lock(from int) (bool, error) {
	file, err := os.OpenFile(filepath.Join(p.dir, strconv.Itoa(from)), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return false, err
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		p.locks = append(p.locks, file)
		return true, nil
	}
	file.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return false, err
}

// release gives the ports back.
func (p *ports) release() {
	for _, lock := range p.locks {
		lock.Close()
	}
	p.locks = nil
}

// bindable reports whether TCP and UDP can be bound right now.
func bindable(ip string, port int) bool {
	addr := net.JoinHostPort(ip, strconv.Itoa(port))
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

// portRange is the first port to try and how many there are.
func portRange() (first, n int) {
	text, _ := os.ReadFile("/proc/sys/net/ipv4/ip_local_port_range")
	return below(string(text))
}

// below is the part of our range that lies below the ephemeral one, given as the
// kernel prints it. Where too little is left the whole is taken.
func below(ephemeral string) (first, n int) {
	last := highestPort
	if fields := strings.Fields(ephemeral); len(fields) == 2 {
		if from, err := strconv.Atoi(fields[0]); err == nil && from >= lowestPort+1000 {
			last = min(last, from-1)
		}
	}
	return lowestPort, last - lowestPort + 1
}

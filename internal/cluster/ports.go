package cluster

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"strconv"
	"strings"

	"github.com/kvscen/kvscen/internal/host"
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
// other clusters: in this process and, by a lock for each block of ports, in every
// other one of the same user. The locks end with the process. A program of
// somebody else that takes a port before the member does makes the member fail,
// and its log say why.
type ports struct {
	blocks locker
	used   map[int]bool   // of another machine; nil: of this one, where a look tells
	first  int            // the range to take from, and how many
	n      int            //
	left   []int          // of the blocks that are ours, not yet looked at
	byRef  map[string]int // what was handed out
}

// A locker locks blocks of ports until it is closed.
type locker interface {
	// Lock locks the block that begins at a port; false: somebody else has it.
	Lock(from int) (bool, error)
	Close()
}

var (
	_ locker = (*fileLocks)(nil)
	_ locker = (*host.PortLocks)(nil)
)

// newPorts makes the folder of the locks if need be.
func newPorts() (*ports, error) {
	// Not the folder that TMPDIR names: all runs must agree on it.
	dir := "/tmp/kvscen-ports-" + strconv.Itoa(os.Getuid())
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of port locks: %w", err)
	}
	first, n := portRange()
	return &ports{blocks: &fileLocks{dir: dir}, first: first, n: n, byRef: make(map[string]int)}, nil
}

// remotePorts hands out ports of another machine.
func remotePorts(ctx context.Context, r *host.Remote) (*ports, error) {
	used, ephemeral, err := r.Ports()
	if err != nil {
		return nil, err
	}
	locks, err := r.PortLocks(ctx)
	if err != nil {
		return nil, err
	}
	first, n := below(ephemeral)
	return &ports{blocks: locks, used: used, first: first, n: n, byRef: make(map[string]int)}, nil
}

// named is the port of a reference: a new one at its first mention.
func (p *ports) named(ref, ip string) (string, error) {
	if port, ok := p.byRef[ref]; ok {
		return strconv.Itoa(port), nil
	}
	for range p.n {
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
	if p.used != nil {
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
		ok, err := p.blocks.Lock(from)
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

// release gives the ports back.
func (p *ports) release() { p.blocks.Close() }

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

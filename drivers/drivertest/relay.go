package drivertest

import (
	"net"
	"sync"
	"sync/atomic"
	"testing"
)

// relay passes connections on to a member, and does to them what networks do.
type relay struct {
	listener net.Listener
	member   string

	mu     sync.Mutex
	frozen bool // new connections too pass nothing
	down   bool // new connections are reset
	links  []*relayed
	wg     sync.WaitGroup
}

// relayed is one connection through the relay.
type relayed struct {
	client, member net.Conn
	mute           atomic.Bool // what comes is swallowed, the connection stays open
}

func newRelay(t *testing.T, member string) *relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen for a relay to %s: %v", member, err)
	}
	r := &relay{listener: l, member: member}
	r.wg.Go(r.accept)
	t.Cleanup(r.close)
	return r
}

func (r *relay) addr() string { return r.listener.Addr().String() }

// freeze keeps all connections open, also new ones, and passes nothing, as a
// member does that hangs, or a network that drops every packet.
func (r *relay) freeze() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.frozen = true
	for _, l := range r.links {
		l.mute.Store(true)
	}
}

// thaw passes new connections on. Those that were frozen stay silent for ever, as
// where a firewall has forgotten them.
func (r *relay) thaw() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.frozen = false
}

// cut resets all connections, and new ones until mend.
func (r *relay) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.down = true
	for _, l := range r.links {
		l.reset()
	}
	r.links = nil
}

func (r *relay) mend() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.down = false
}

func (r *relay) accept() {
	for {
		client, err := r.listener.Accept()
		if err != nil {
			return
		}
		member, err := net.Dial("tcp", r.member)
		if err != nil {
			reset(client)
			continue
		}
		r.admit(&relayed{client: client, member: member})
	}
}

func (r *relay) admit(l *relayed) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.down {
		l.reset()
		return
	}
	l.mute.Store(r.frozen)
	r.links = append(r.links, l)
	r.wg.Go(func() { l.pass(l.member, l.client) })
	r.wg.Go(func() { l.pass(l.client, l.member) })
}

func (l *relayed) pass(to, from net.Conn) {
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if err != nil {
			if !l.mute.Load() { // else the other side does not come to know
				to.Close()
			}
			return
		}
		if l.mute.Load() {
			continue
		}
		if _, err := to.Write(buf[:n]); err != nil {
			from.Close()
			return
		}
	}
}

func (l *relayed) reset() {
	reset(l.client)
	reset(l.member)
}

// reset ends a connection by a reset, as a machine does that knows it no more.
func reset(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // it may be closed already
	}
	c.Close()
}

func (r *relay) close() {
	r.listener.Close()
	r.mu.Lock()
	r.down = true
	for _, l := range r.links {
		l.client.Close()
		l.member.Close()
	}
	r.mu.Unlock()
	r.wg.Wait()
}

package drivertest

import (
	"net"
	"sync"
	"testing"
)

// relay passes connections on to a member until it is frozen: then it keeps
// them open and passes nothing, as a member does that hangs.
type relay struct {
	listener net.Listener
	member   string

	mu     sync.Mutex
	frozen chan struct{} // closed by freeze
	open   []net.Conn
	wg     sync.WaitGroup
}

func newRelay(t *testing.T, member string) *relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen for a relay to %s: %v", member, err)
	}
	r := &relay{listener: l, member: member, frozen: make(chan struct{})}
	r.wg.Go(r.accept)
	t.Cleanup(r.close)
	return r
}

func (r *relay) addr() string { return r.listener.Addr().String() }

func (r *relay) freeze() { close(r.frozen) }

func (r *relay) accept() {
	for {
		client, err := r.listener.Accept()
		if err != nil {
			return
		}
		member, err := net.Dial("tcp", r.member)
		if err != nil {
			client.Close()
			continue
		}
		r.mu.Lock()
		r.open = append(r.open, client, member)
		r.mu.Unlock()
		r.wg.Go(func() { r.pass(member, client) })
		r.wg.Go(func() { r.pass(client, member) })
	}
}

func (r *relay) pass(to, from net.Conn) {
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if err != nil {
			to.Close()
			return
		}
		select {
		case <-r.frozen:
			continue // swallowed: the connection stays open
		default:
		}
		if _, err := to.Write(buf[:n]); err != nil {
			from.Close()
			return
		}
	}
}

func (r *relay) close() {
	r.listener.Close()
	r.mu.Lock()
	for _, c := range r.open {
		c.Close()
	}
	r.mu.Unlock()
	r.wg.Wait()
}

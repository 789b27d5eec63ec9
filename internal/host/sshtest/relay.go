package sshtest

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Relay passes TCP connections on to an address, late if it is told to, and can
// stop passing anything on while the connections stay open: a link that is cut.
type Relay struct {
	Address string // host:port to connect to

	listener net.Listener
	delay    time.Duration
	cut      atomic.Bool
	done     chan struct{}
	work     sync.WaitGroup
}

// NewRelay starts a relay to an address, which ends with the test.
func NewRelay(t testing.TB, to string, delay time.Duration) *Relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &Relay{Address: l.Addr().String(), listener: l, delay: delay, done: make(chan struct{})}
	r.work.Go(func() { r.accept(to) })
	t.Cleanup(func() {
		close(r.done)
		l.Close()
		r.work.Wait()
	})
	return r
}

// Cut makes the relay swallow whatever comes.
func (r *Relay) Cut() { r.cut.Store(true) }

func (r *Relay) accept(to string) {
	for {
		conn, err := r.listener.Accept()
		if err != nil {
			return
		}
		peer, err := net.Dial("tcp", to)
		if err != nil {
			conn.Close()
			continue
		}
		r.work.Go(func() { r.pass(conn, peer) })
		r.work.Go(func() { r.pass(peer, conn) })
		r.work.Go(func() {
			<-r.done
			conn.Close()
			peer.Close()
		})
	}
}

// late is what was read, and when it is to be passed on.
type late struct {
	due  time.Time
	text []byte
}

func (r *Relay) pass(to io.WriteCloser, from io.Reader) {
	queue := make(chan late, 10_000)
	r.work.Go(func() {
		defer to.Close()
		for l := range queue {
			time.Sleep(time.Until(l.due))
			if !r.cut.Load() {
				_, _ = to.Write(l.text) // the other side's end is seen by the reader
			}
		}
		if r.cut.Load() {
			<-r.done
		}
	})
	defer close(queue)
	for {
		buf := make([]byte, 32<<10)
		n, err := from.Read(buf)
		if n > 0 {
			queue <- late{time.Now().Add(r.delay), buf[:n]}
		}
		if err != nil {
			return
		}
	}
}

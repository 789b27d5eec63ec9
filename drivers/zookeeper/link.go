package zookeeper

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/go-zookeeper/zk"
)

const (
	connectTimeout = 5 * time.Second // of a TCP connection, and again of the session on it
	firstBuffer    = 16 << 10        // bytes for requests, and for replies, until a longer one comes
)

var (
	errClosed    = errors.New("the connection was closed")
	errNoSession = errors.New("connected, but the member opens no session: it has no quorum, takes no more connections " +
		"from this address (maxClientCnxns), or speaks another protocol or TLS here")
)

// link is the TCP connection under a session, made anew by the library whenever
// it is lost. It knows whether there is a session.
type link struct {
	ctx      context.Context // of dialling
	cancel   context.CancelFunc
	over     transport
	maxReply int
	zk       *zk.Conn // set before the first dial

	buffer atomic.Int64  // bytes that the library has for a request
	wanted atomic.Int64  // bytes that it is to have
	sent   atomic.Uint64 // requests so far, those of the library itself included
	failed chan struct{} // told when a try to get a session has failed

	mu    sync.Mutex
	up    chan struct{} // closed while there is a session
	wire  *wire
	raw   net.Conn           // of wire
	abort context.CancelFunc // of the last dial
	late  *time.Timer        // cuts raw if no session comes
	cause error              // of the last dial that failed
}

func newLink(over transport, maxReply int) *link {
	l := &link{over: over, maxReply: maxReply, up: make(chan struct{}), failed: make(chan struct{}, 1)}
	l.buffer.Store(firstBuffer)
	l.ctx, l.cancel = context.WithCancel(context.Background())
	return l
}

// session is closed while there is one.
func (l *link) session() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.up
}

func (l *link) isUp() bool {
	select {
	case <-l.session():
		return true
	default:
		return false
	}
}

// event is told by the library, in its own goroutine, how the session stands.
func (l *link) event(e zk.Event) {
	if e.Type != zk.EventSession {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	up := false
	select {
	case <-l.up:
		up = true
	default:
	}
	switch e.State {
	case zk.StateHasSession:
		if l.late != nil {
			l.late.Stop()
		}
		if l.wire != nil {
			l.wire.proved.Store(true)
		}
		if !up {
			close(l.up)
		}
	case zk.StateDisconnected, zk.StateConnecting, zk.StateExpired:
		if up {
			l.up = make(chan struct{})
		} else if e.State != zk.StateConnecting {
			l.fail()
		}
	}
}

// fail tells Dial, if it still waits.
func (l *link) fail() {
	select {
	case l.failed <- struct{}{}:
	default:
	}
}

// dial connects for the library, in the goroutine that starts its loops later.
func (l *link) dial(_, address string, _ time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(l.ctx, connectTimeout)
	defer cancel()
	l.mu.Lock()
	l.abort = cancel
	l.mu.Unlock()
	c, raw, err := l.over.dial(ctx, address)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.cause = err
		if errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET) { // it hung up that fast
			l.cause = fmt.Errorf("%w (%w)", errNoSession, err)
		}
		l.fail()
		return nil, err
	}
	if l.ctx.Err() != nil {
		raw.Close()
		return nil, errClosed
	}
	// The library would wait for the session for seven times its timeout.
	l.late = time.AfterFunc(connectTimeout, func() { raw.Close() })
	l.cause = errNoSession
	zk.WithMaxBufferSize(firstBuffer)(l.zk)
	l.wire, l.raw = newWire(c, l), raw
	return l.wire, nil
}

// reason adds to an error why there is no session; with nil it is the error.
func (l *link) reason(err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.cause == nil:
		return err
	case err == nil:
		return l.cause
	}
	return fmt.Errorf("%w (%w)", err, l.cause)
}

// end has the first request under way that was sent after a place be ended as
// late, and reports whether there is one.
func (l *link) end(after uint64) bool {
	l.mu.Lock()
	w := l.wire
	l.mu.Unlock()
	return w != nil && w.end(after)
}

// cut ends the TCP connection, or the dialling of one: what is under way on it
// fails, and the library connects anew. What it has not sent yet fails where it
// has tried all members in vain.
func (l *link) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.abort != nil {
		l.abort()
	}
	if l.raw != nil {
		_ = l.raw.Close() // lost in any case
	}
}

func (l *link) close() {
	l.cancel()
	l.cut()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.late != nil {
		l.late.Stop()
	}
}

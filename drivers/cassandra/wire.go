package cassandra

import (
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// maxQueued bounds the bytes that wait on one TCP connection to be sent. Only a
// member that takes nothing lets as much pile up: it is given up then.
const maxQueued = 1 << 30

// silence is how long a member may leave everything unanswered before its
// connection is taken for dead. The library asks for a sign of life every five
// seconds, but sees no answer to that as no failure without a time limit of its
// own, and TCP alone would take a quarter of an hour.
const silence = 15 * time.Second

// wire is a TCP connection whose Write does not wait. The library's would, for
// as long as the member takes nothing, whatever the deadline of the request. The
// frames of requests that come meanwhile leave together, in one system call.
type wire struct {
	net.Conn
	link *link
	wake chan struct{} // there may be something to send
	done chan struct{} // closed by Close
	once sync.Once

	asked atomic.Int64 // when the first frame without any answer was queued, ns since the epoch; 0: there is none

	mu     sync.Mutex
	queue  net.Buffers // the library makes a buffer for each frame, and never uses it again
	queued int         // bytes, those being sent included
	err    error       // why nothing can be sent any more
}

func newWire(raw net.Conn, l *link) *wire {
	w := &wire{Conn: raw, link: l, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go w.send()  // both until Close, which whoever dialled must call
	go w.watch() //
	return w
}

// Write queues a frame.
func (w *wire) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil && w.queued > maxQueued {
		w.err = fmt.Errorf("%d MiB wait to be sent, and the member takes nothing", w.queued>>20)
	}
	if w.err != nil {
		return 0, w.err
	}
	if w.asked.Load() == 0 {
		w.asked.Store(time.Now().UnixNano())
	}
	w.queue = append(w.queue, p)
	w.queued += len(p)
	select {
	case w.wake <- struct{}{}:
	default:
	}
	return len(p), nil
}

// Read reads what the member sends: a sign of life.
func (w *wire) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	if n > 0 {
		w.asked.Store(0)
	}
	return n, err
}

// watch ends the connection when the member has been silent for too long. The
// library's reader sees that, and the next request connects anew.
func (w *wire) watch() {
	tick := time.NewTicker(silence / 15)
	defer tick.Stop()
	for {
		select {
		case <-w.done:
			return
		case now := <-tick.C:
			if asked := w.asked.Load(); asked != 0 && now.UnixNano()-asked > int64(silence) {
				_ = w.Conn.Close() // lost in any case
				return
			}
		}
	}
}

// send sends what is queued until the connection ends.
func (w *wire) send() {
	var spare net.Buffers
	for {
		select {
		case <-w.done:
			return
		case <-w.wake:
		}
		w.mu.Lock()
		frames, bytes := w.queue, w.queued
		w.queue = spare[:0]
		w.mu.Unlock()
		sending := frames // WriteTo moves on in it
		_, err := sending.WriteTo(w.Conn)
		clear(frames)
		spare = frames
		w.mu.Lock()
		w.queued -= bytes
		if err != nil {
			w.err = err
		}
		w.mu.Unlock()
		if err != nil {
			_ = w.Conn.Close() // the library's reader sees that, and ends the connection
			return
		}
	}
}

// Close ends the connection.
func (w *wire) Close() error {
	w.once.Do(func() { close(w.done) })
	w.link.forget(w)
	return w.Conn.Close()
}

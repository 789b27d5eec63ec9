package zookeeper

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zookeeper/zk"
)

const (
	readAhead   = 4 << 10 // bytes: most replies come with one call of the system
	replyHeader = 16      // bytes of a reply beside its length and what it holds: number, zxid, error
	codeLate    = -7      // the server's own code of an operation that has timed out
)

// wire is the TCP connection between the library and the member. It does two
// things that the library does not.
//
// It saves memory. The library makes its buffers as large as the largest request
// and reply allowed: a thousand connections would hold two gigabytes. Here it
// begins with small ones, and is told of the limits in its own goroutines: when
// it reads the first reply, for that buffer grows by need; and after it has
// written a request while a larger buffer is wanted.
//
// And it ends requests that are late. The library's calls take no context: a
// request ends with its reply or its connection alone. So that neither has to be
// lost for one that is late, a reply is put in for it that says so. The member's
// own, if it ever comes, finds nobody and is thrown away by the library.
type wire struct {
	net.Conn // for writing, and to be closed
	in       *bufio.Reader
	link     *link
	proved   atomic.Bool // there is a session: the next to read is the loop of replies
	limited  bool
	rest     int    // bytes of the member's reply that the library has not read yet
	put      []byte // bytes of a reply put in, likewise

	mu     sync.Mutex
	sent   []sent    // requests without a reply, in order
	late   []int32   // numbers of those that are to be ended
	silent bool      // since one was ended the member has said nothing
	until  time.Time // when the library gives the member up
}

// sent is a request on its way.
type sent struct {
	place  uint64 // in the order of all that the link has sent
	number int32  // by which the reply names it
}

func newWire(c net.Conn, l *link) *wire {
	return &wire{Conn: c, in: bufio.NewReaderSize(c, readAhead), link: l}
}

// Write sends one request, which the library hands over as a whole.
func (w *wire) Write(p []byte) (int, error) {
	if number, ok := requestNumber(p); ok && w.proved.Load() {
		w.mu.Lock()
		w.sent = append(w.sent, sent{w.link.sent.Add(1), number})
		w.mu.Unlock()
	}
	n, err := w.Conn.Write(p)
	if wanted := w.link.wanted.Load(); wanted > w.link.buffer.Load() {
		zk.WithMaxConnBufferSize(int(wanted))(w.link.zk)
		w.link.buffer.Store(wanted)
	}
	return n, err
}

// requestNumber is what the reply to a request will name it by; false: there is
// none, for it is a ping.
func requestNumber(p []byte) (int32, bool) {
	if len(p) < 8 {
		return 0, false
	}
	n := int32(binary.BigEndian.Uint32(p[4:]))
	return n, n >= 0
}

func (w *wire) Read(p []byte) (int, error) {
	if !w.proved.Load() {
		return w.in.Read(p)
	}
	if !w.limited {
		w.limited = true
		zk.WithMaxBufferSize(w.link.maxReply)(w.link.zk)
	}
	if w.rest == 0 && len(w.put) == 0 {
		if err := w.next(); err != nil {
			return 0, err
		}
	}
	if len(w.put) > 0 {
		n := copy(p, w.put)
		w.put = w.put[n:]
		return n, nil
	}
	n, err := w.in.Read(p[:min(len(p), w.rest)])
	w.rest -= n
	return n, err
}

// next waits for the member's next reply, or for a request to be ended.
func (w *wire) next() error {
	head, err := w.in.Peek(8)
	if err != nil {
		if w.putIn() {
			return nil
		}
		return err
	}
	size, number := int(int32(binary.BigEndian.Uint32(head))), int32(binary.BigEndian.Uint32(head[4:]))
	if size < replyHeader {
		return fmt.Errorf("a reply of %d bytes: want at least %d", size, replyHeader)
	}
	w.rest = 4 + size
	w.mu.Lock()
	defer w.mu.Unlock()
	w.silent = false
	// Replies come in the order of their requests: it is the first.
	if i := slices.IndexFunc(w.sent, func(s sent) bool { return s.number == number }); i >= 0 {
		w.sent = slices.Delete(w.sent, i, i+1)
	}
	return nil
}

// end has the first request without a reply that was sent after a place be ended,
// and reports whether there is one.
func (w *wire) end(after uint64) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := slices.IndexFunc(w.sent, func(s sent) bool { return s.place > after })
	if i < 0 {
		return false
	}
	w.late = append(w.late, w.sent[i].number)
	w.sent = slices.Delete(w.sent, i, i+1)
	w.silent = true
	_ = w.Conn.SetReadDeadline(time.Unix(1, 0)) // wakes the reader; fails on a connection that is closed, which ends the request too
	return true
}

// putIn puts a reply in for a request that is to be ended, if there is one.
func (w *wire) putIn() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.late) == 0 {
		return false
	}
	reply := binary.BigEndian.AppendUint32(nil, replyHeader)
	reply = binary.BigEndian.AppendUint32(reply, uint32(w.late[0]))
	reply = binary.BigEndian.AppendUint64(reply, 0)
	code := int32(codeLate)
	w.put = binary.BigEndian.AppendUint32(reply, uint32(code))
	w.late = w.late[1:]
	if len(w.late) == 0 {
		_ = w.Conn.SetReadDeadline(w.until) // a connection that is closed says so when it is read
	}
	return true
}

// SetReadDeadline is called by the library before and after each reply, so as to
// notice that a member says nothing any more. A reply put in is no sign of it: the
// time that was set before stands.
func (w *wire) SetReadDeadline(t time.Time) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.silent && !w.until.IsZero() {
		return nil
	}
	w.until = t
	if len(w.late) > 0 {
		return nil
	}
	return w.Conn.SetReadDeadline(t)
}

package zookeeper

import (
	"sync/atomic"

	"github.com/kvscen/kvscen/drivers"
)

// overhead is more than a request adds to its paths and values: its header,
// lengths, flags, and the ACL of a node that is created.
const overhead = 96

// call is one request under way, in a goroutine of its own, which stays for the
// next one: a new one would cost its stack anew with each request. It works on
// copies of the request, because the library may read them long after the
// request was given up.
type call struct {
	conn  *conn
	op    drivers.Op
	sent  atomic.Int64 // requests to the server
	size  int          // bytes of the largest of them
	state atomic.Int32
	next  chan operation
	done  chan struct{}
	err   error
}

// States of a call: it ends, or is left behind by the one who waits for it.
const (
	running = int32(iota)
	ended
	left
)

// newCall starts the goroutine, which ends with the connection, or with a request
// that was left behind.
func newCall(of *conn) *call {
	c := &call{conn: of, next: make(chan operation, 1), done: make(chan struct{}, 1)}
	go c.work()
	return c
}

func (c *call) work() {
	for {
		select {
		case o := <-c.next:
			if !c.run(o) {
				return
			}
		case <-c.conn.closed:
			return
		}
	}
}

// take copies what op asks for.
func (c *call) take(op *drivers.Op) {
	c.sent.Store(0)
	c.size = 0
	c.state.Store(running)
	c.err = nil
	copyRequest(&c.op, op)
}

func copyRequest(to, from *drivers.Op) {
	key, value, sub := append(to.Key[:0], from.Key...), append(to.Value[:0], from.Value...), to.Sub
	if value == nil {
		value = []byte{} // an empty value is something else than no data
	}
	*to = drivers.Op{Spec: from.Spec, Key: key, Value: value, Expected: from.Expected}
	for len(sub) < len(from.Sub) {
		sub = append(sub, drivers.Op{})
	}
	to.Sub = sub[:len(from.Sub)]
	for i := range from.Sub {
		copyRequest(&to.Sub[i], &from.Sub[i])
	}
}

// run carries out the request and reports whether somebody waited for it.
func (c *call) run(o operation) bool {
	c.err = o.do(c, &c.op)
	if !c.state.CompareAndSwap(running, ended) {
		c.conn.left.Add(-1)
		return false
	}
	c.done <- struct{}{}
	return true
}

// give copies the results to op.
func (c *call) give(op *drivers.Op) {
	if c.err == nil {
		copyResults(op, &c.op)
	}
	op.Attempts = int(c.sent.Load())
}

func copyResults(to, from *drivers.Op) {
	to.Found, to.Count, to.Bytes, to.Revision, to.Read = from.Found, from.Count, from.Bytes, from.Revision, from.Read
	for i := range from.Sub {
		copyResults(&to.Sub[i], &from.Sub[i])
	}
}

// leave gives the call up and tells how many requests it has sent. It ends with
// the answer, the session or the connection. Where too many wait for that the
// connection is dead, and is cut.
func (c *call) leave() int {
	waiting := c.conn.left.Add(1)
	if !c.state.CompareAndSwap(running, left) {
		c.conn.left.Add(-1)
	} else if waiting > maxLeft {
		c.conn.link.cut()
	}
	return int(c.sent.Load())
}

// begin counts one more request to the server, if it may be sent.
func (c *call) begin(size int) error {
	if c.state.Load() == left {
		return errLeft
	}
	if size+overhead > c.conn.settings.maxRequest {
		return errTooLarge
	}
	if int64(size+frame) > c.conn.link.buffer.Load() {
		if err := c.grow(); err != nil {
			return err
		}
	}
	c.size = max(c.size, size+overhead)
	c.sent.Add(1)
	return nil
}

// grow has the library make its buffer as large as a request may be. It does so
// when it has written one, here one that asks for nothing.
func (c *call) grow() error {
	c.conn.link.wanted.Store(int64(c.conn.settings.maxRequest + frame))
	c.sent.Add(1)
	_, _, err := c.conn.zk.Exists("/")
	return err
}

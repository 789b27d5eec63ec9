package zookeeper

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// overhead is more than a request adds to its paths and values: its header,
// lengths, flags, and the ACL of a node that is created.
const overhead = 96

// call is what the requests of one client need, one after the other, until one of
// them has to be given up. It works on copies: a connection that is closed lets
// its requests go while the library still reads them.
type call struct {
	conn  *conn
	ctx   *drivers.DeadlineContext // of the request under way
	op    drivers.Op
	sent  int           // requests to the server
	size  int           // bytes of the largest of them
	after atomic.Uint64 // how many the link had sent before the last of them
	busy  atomic.Bool   // it is in the library
}

// newCall makes one whose requests end with ctx.
func newCall(ctx context.Context, of *conn) *call {
	c := &call{conn: of, ctx: drivers.NewDeadlineContext(ctx)}
	context.AfterFunc(c.ctx, c.giveUp)
	return c
}

// carryOut makes the library's calls for a request.
func (c *call) carryOut(o operation, op *drivers.Op) error {
	c.sent, c.size = 0, 0
	copyRequest(&c.op, op)
	c.busy.Store(true)
	err := o.do(c, &c.op)
	c.busy.Store(false)
	if err == nil {
		copyResults(op, &c.op)
	}
	op.Attempts = c.sent
	return err
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

func copyResults(to, from *drivers.Op) {
	to.Found, to.Count, to.Bytes, to.Revision, to.Read = from.Found, from.Count, from.Bytes, from.Revision, from.Read
	for i := range from.Sub {
		copyResults(&to.Sub[i], &from.Sub[i])
	}
}

const (
	giveUpEvery = time.Millisecond
	giveUpTries = 5000 // before the session is closed
	// cutEvery is the number of tries that the library has for sending a request
	// that is late, so that it can be ended, before its connection is cut.
	cutEvery = 20
)

// giveUp gets the request under way out of the library, once it is late or the
// phase has ended. Which of those on the link it is can't be seen. It is one that
// was sent after it began, and mostly the first: others that went between the two
// began together with it, and are as late. One that is not sent at all waits for a
// session, or for a member that takes nothing any more.
func (c *call) giveUp() {
	for i := range giveUpTries {
		if !c.busy.Load() {
			return
		}
		if !c.conn.link.end(c.after.Load()) && i%cutEvery == cutEvery-1 {
			c.conn.link.cut()
		}
		time.Sleep(giveUpEvery)
	}
	if c.busy.Load() {
		c.conn.Close()
	}
}

// begin counts one more request to the server, if it may be sent.
func (c *call) begin(size int) error {
	c.after.Store(c.conn.link.sent.Load())
	if c.ctx.Err() != nil {
		return errLate
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
	c.sent++
	return nil
}

// grow has the library make its buffer as large as a request may be. It does so
// when it has written one, here one that asks for nothing.
func (c *call) grow() error {
	c.conn.link.wanted.Store(int64(c.conn.settings.maxRequest + frame))
	c.sent++
	_, _, err := c.conn.zk.Exists("/")
	return err
}

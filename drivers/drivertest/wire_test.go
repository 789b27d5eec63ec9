package drivertest_test

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// wire is the driver of a store of the tests' own that is reached over TCP: what
// the suite says of connections can be tried on it, right and with one flaw.
type wire struct{ flaw flaw }

const (
	wireKey   = 8 << 10 // bytes of the longest key
	wireValue = 64 << 10
)

func (wire) Spec() drivers.Spec {
	return drivers.Spec{
		Name: "wire", Doc: "a store of the tests' own",
		Ops: []drivers.OpInfo{
			{Kind: drivers.Put, RPCs: "1 call"}, {Kind: drivers.Get, RPCs: "1 call"}, {Kind: drivers.Delete, RPCs: "1 call"},
		},
		Limits: drivers.Limits{Key: wireKey, Value: wireValue},
	}
}

// wireRequest is what goes to the member, and wireReply what comes back.
type wireRequest struct {
	Kind       drivers.Kind
	Key, Value []byte
	Quiet      bool // wants no reply
}

type wireReply struct {
	Found bool
	Value []byte
}

func (d wire) Dial(ctx context.Context, t drivers.Target) (drivers.Conn, error) {
	c := &wireConn{target: t, flaw: d.flaw, lines: map[*line]bool{}}
	c.life, c.end = context.WithCancel(context.Background())
	if d.flaw == leaksGoroutines {
		go func() { select {} }()
	}
	err := c.prove(ctx)
	switch {
	case err == nil:
		return c, nil
	case d.flaw == namesNoEndpoint:
		return nil, errors.New("can't connect")
	}
	return nil, fmt.Errorf("wire: connect to %s: %w", t.Endpoint, err)
}

// prove has a get answered.
func (c *wireConn) prove(ctx context.Context) error {
	client, err := c.Client([]drivers.OpSpec{{Kind: drivers.Get}})
	if err != nil {
		return err
	}
	op := drivers.Op{Key: []byte("k"), Deadline: time.Now().Add(c.target.Timeout)}
	if c.flaw == dialsForEver {
		op.Deadline = op.Deadline.Add(time.Hour)
	}
	if err := client.Do(ctx, &op); err != nil {
		c.Close()
		return err
	}
	return nil
}

type wireConn struct {
	target drivers.Target
	flaw   flaw
	life   context.Context // ends with the connection
	end    context.CancelFunc

	mu    sync.Mutex
	lines map[*line]bool
}

// line is one TCP connection, of one client.
type line struct {
	net.Conn
	to   *gob.Encoder
	from *gob.Decoder
}

func (c *wireConn) Client(ops []drivers.OpSpec) (drivers.Client, error) {
	for _, op := range ops {
		if op.Kind > drivers.Delete || op.Consistency != "" {
			return nil, fmt.Errorf("%v %q can't be done here", op.Kind, op.Consistency)
		}
	}
	return &wireClient{conn: c, ops: ops}, nil
}

func (c *wireConn) Close() error {
	if c.flaw == neverCloses {
		return nil
	}
	c.end()
	c.mu.Lock()
	defer c.mu.Unlock()
	for l := range c.lines {
		l.Close()
	}
	return nil
}

// line connects, before the deadline.
func (c *wireConn) line(ctx context.Context, deadline time.Time) (*line, error) {
	ctx, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	defer context.AfterFunc(c.life, cancel)()
	raw, err := (&net.Dialer{}).DialContext(ctx, "tcp", c.target.Endpoint)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.life.Err(); err != nil {
		raw.Close()
		return nil, err
	}
	l := &line{raw, gob.NewEncoder(raw), gob.NewDecoder(raw)}
	c.lines[l] = true
	return l, nil
}

func (c *wireConn) drop(l *line) {
	l.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.lines, l)
}

type wireClient struct {
	conn *wireConn
	ops  []drivers.OpSpec
	line *line // nil: to be connected
}

func (c *wireClient) Do(ctx context.Context, op *drivers.Op) error {
	op.Reset()
	key, value := op.Key, op.Value
	if len(key) > wireKey || len(value) > wireValue {
		if c.conn.flaw != cutsWhatIsLong {
			return &drivers.Error{Class: drivers.TooLarge, Err: errors.New("wire: too large")}
		}
		key, value = key[:min(len(key), wireKey)], value[:min(len(value), wireValue)]
	}
	if op.Deadline.IsZero() {
		op.Deadline = time.Now().Add(time.Minute)
	}
	request := wireRequest{Kind: c.ops[op.Spec].Kind, Key: key, Value: value}
	for {
		reply, err := c.ask(ctx, &request, op.Deadline)
		if err == nil {
			c.fill(op, &request, reply)
			return nil
		}
		if c.conn.flaw != triesForEver || drivers.ClassOf(err) != drivers.Unavailable || c.conn.life.Err() != nil {
			return err
		}
		op.Deadline = time.Now().Add(time.Minute)
		time.Sleep(10 * time.Millisecond)
	}
}

func (c *wireClient) fill(op *drivers.Op, request *wireRequest, reply *wireReply) {
	op.Attempts = 1
	if !reply.Found {
		return
	}
	op.Found, op.Count = true, 1
	if request.Kind == drivers.Get {
		op.Read, op.Bytes = reply.Value, int64(len(op.Key)+len(reply.Value))
	}
}

// ask sends a request and waits for its reply.
func (c *wireClient) ask(ctx context.Context, request *wireRequest, deadline time.Time) (*wireReply, error) {
	if err := errors.Join(ctx.Err(), c.conn.life.Err()); err != nil {
		return nil, c.failure(ctx, err)
	}
	if c.line == nil {
		l, err := c.conn.line(ctx, deadline)
		if err != nil {
			return nil, c.failure(ctx, err)
		}
		c.line = l
	}
	l := c.line
	_ = l.SetDeadline(deadline) // closed: the request says so
	defer context.AfterFunc(ctx, func() { _ = l.SetDeadline(time.Unix(1, 0)) })()
	request.Quiet = c.conn.flaw == acknowledgesUnheard && request.Kind == drivers.Put
	reply := &wireReply{}
	err := l.to.Encode(request)
	if err == nil && !request.Quiet {
		err = l.from.Decode(reply)
	}
	if err != nil {
		return nil, c.failure(ctx, err)
	}
	return reply, nil
}

// failure classes an error, and gives up the line on which it happened: a reply
// that comes late would be taken for another's.
func (c *wireClient) failure(ctx context.Context, err error) *drivers.Error {
	class := drivers.Unavailable
	switch {
	case c.conn.life.Err() != nil:
	case ctx.Err() != nil:
		class, err = drivers.Other, ctx.Err()
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		class = drivers.Timeout
	case c.conn.flaw == classesNothing:
		class = drivers.Other
	}
	keeps := c.conn.flaw == keepsDeadLines && class == drivers.Unavailable || c.conn.flaw == keepsSilentLines && class == drivers.Timeout
	if c.line != nil && !keeps {
		c.conn.drop(c.line)
		c.line = nil
	}
	return &drivers.Error{Class: class, Err: fmt.Errorf("wire: %w", err)}
}

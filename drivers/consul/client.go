package consul

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptrace"
	"time"

	"github.com/hashicorp/consul/api"

	"github.com/kvscen/kvscen/drivers"
)

// operation is one kind of request with all that the requests of a phase have
// in common.
type operation interface {
	// do sends the request and fills in the results of op.
	do(c *calls, op *drivers.Op) error
}

// calls is what the requests of one virtual client have in common: a context,
// in the forms that the library takes it. It serves until one of them has to be
// given up.
type calls struct {
	*drivers.DeadlineContext
	conn  *conn
	write *api.WriteOptions
	read  [numModes]*api.QueryOptions
	sent  int         // requests handed to a TCP connection since the count was last set back
	stop  func() bool // ends the watch for the end of the connection
}

func newCalls(phase context.Context, c *conn) *calls {
	s := &calls{DeadlineContext: drivers.NewDeadlineContext(phase), conn: c}
	s.stop = context.AfterFunc(c.life, func() { s.Cancel(errors.New("the connection was closed")) })
	// net/http repeats a GET by itself where the connection it chose turns out to
	// be dead. It takes a connection each time, in the caller's goroutine.
	ctx := httptrace.WithClientTrace(s, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { s.sent++ }})
	s.write = (&api.WriteOptions{}).WithContext(ctx)
	s.read = [numModes]*api.QueryOptions{
		usual:      (&api.QueryOptions{}).WithContext(ctx),
		consistent: (&api.QueryOptions{RequireConsistent: true}).WithContext(ctx),
		stale:      (&api.QueryOptions{AllowStale: true}).WithContext(ctx),
	}
	return s
}

// client carries out the requests of one virtual client.
type client struct {
	conn  *conn
	ops   []operation
	phase context.Context // that calls was made from
	calls *calls          // nil: to be made
}

// Client binds the operations of a phase.
func (c *conn) Client(ops []drivers.OpSpec) (drivers.Client, error) {
	bound := make([]operation, len(ops))
	for i := range ops {
		o, err := c.bind(&ops[i])
		if err != nil {
			return nil, fmt.Errorf("consul: operation %d: %w", i, err)
		}
		bound[i] = o
	}
	return &client{conn: c, ops: bound}, nil
}

func (c *conn) bind(spec *drivers.OpSpec) (operation, error) {
	if c.spec.Op(spec.Kind) == nil {
		return nil, fmt.Errorf("%v can't be done here", spec.Kind)
	}
	m, err := modeOf(spec)
	if err != nil {
		return nil, err
	}
	if c.kvOnly {
		m = usual // nothing is said of it in the request
	}
	if spec.Limit != 0 {
		return nil, fmt.Errorf("%v with a limit: Consul has none", spec.Kind)
	}
	// Keys could be bound to a session, which lives 10 s at least and up to twice
	// as long as asked; and while it does no other one can write them.
	if spec.TTL != 0 {
		return nil, fmt.Errorf("%v with a ttl: Consul's keys have none", spec.Kind)
	}
	switch spec.Kind {
	case drivers.Put:
		return put{}, nil
	case drivers.Get:
		return get{m}, nil
	case drivers.Delete:
		return remove{}, nil
	case drivers.Scan:
		if spec.KeysOnly {
			return scanKeys{m}, nil
		}
		return scan{m}, nil
	case drivers.ListChildren:
		return list{m}, nil
	case drivers.CAS:
		return &cas{absent: spec.Absent}, nil
	case drivers.Exists:
		return exists{m}, nil
	}
	return c.newTxn(spec)
}

// Do carries out one request.
func (c *client) Do(ctx context.Context, op *drivers.Op) error {
	op.Reset()
	switch {
	case c.conn.life.Err() != nil:
		return &drivers.Error{Class: drivers.Unavailable, Err: errors.New("consul: the connection was closed")}
	case !op.Deadline.IsZero() && !time.Now().Before(op.Deadline):
		return &drivers.Error{Class: drivers.Timeout, Err: errors.New("consul: the deadline had passed before the request was sent")}
	}
	c.prepare(ctx)
	c.calls.sent = 0
	c.calls.Begin(op.Deadline)
	err := c.ops[op.Spec].do(c.calls, op)
	c.calls.End()
	op.Attempts = max(op.Attempts, c.calls.sent)
	if err == nil {
		return nil
	}
	attempts := op.Attempts
	op.Reset()
	op.Attempts = attempts
	return c.failure(ctx, err)
}

// prepare sees that calls is of the phase and has not ended.
func (c *client) prepare(ctx context.Context) {
	if c.calls != nil && c.phase == ctx && c.calls.Err() == nil {
		return
	}
	if c.calls != nil {
		c.calls.stop()
	}
	c.phase, c.calls = ctx, newCalls(ctx, c.conn)
}

// failure says what a failed request is counted as.
func (c *client) failure(ctx context.Context, err error) *drivers.Error {
	if own, ok := errors.AsType[*drivers.Error](err); ok {
		return own
	}
	switch {
	case c.conn.life.Err() != nil:
		return &drivers.Error{Class: drivers.Unavailable, Err: errors.New("consul: the connection was closed")}
	case ctx.Err() != nil:
		return &drivers.Error{Class: drivers.Other, Err: fmt.Errorf("consul: cancelled: %w", context.Cause(ctx))}
	case c.calls.Err() != nil:
		return &drivers.Error{Class: drivers.Timeout, Err: errors.New("consul: no answer by the deadline")}
	}
	return &drivers.Error{Class: classify(err), Err: fmt.Errorf("consul: %w", reason(err))}
}

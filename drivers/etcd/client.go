package etcd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/grpc/status"

	"github.com/kvscen/kvscen/drivers"
)

// operation is one kind of request with all that the requests of a phase have
// in common. Its messages are used again for each request: gRPC has encoded a
// message when the call returns.
type operation interface {
	// do sends the request and fills in the results of op.
	do(ctx context.Context, c *conn, op *drivers.Op) error
}

// client carries out the requests of one virtual client.
type client struct {
	conn  *conn
	ops   []operation
	phase context.Context          // that calls was made from
	calls *drivers.DeadlineContext // nil: to be made
}

// Client binds the operations of a phase.
func (c *conn) Client(ops []drivers.OpSpec) (drivers.Client, error) {
	bound := make([]operation, len(ops))
	for i := range ops {
		o, err := bind(&ops[i])
		if err != nil {
			return nil, fmt.Errorf("etcd: operation %d: %w", i, err)
		}
		bound[i] = o
	}
	return &client{conn: c, ops: bound}, nil
}

func bind(spec *drivers.OpSpec) (operation, error) {
	if spec.Kind == drivers.Txn {
		return newTxn(spec)
	}
	return newStep(spec)
}

// Do carries out one request.
func (c *client) Do(ctx context.Context, op *drivers.Op) error {
	op.Reset()
	if !op.Deadline.IsZero() && !time.Now().Before(op.Deadline) {
		return &drivers.Error{Class: drivers.Timeout, Err: errors.New("etcd: the deadline had passed before the request was sent")}
	}
	if c.calls == nil || c.phase != ctx || c.calls.Err() != nil {
		c.phase, c.calls = ctx, drivers.NewDeadlineContext(ctx)
	}
	c.calls.Begin(op.Deadline)
	err := c.send(op)
	c.calls.End()
	if err == nil {
		return nil
	}
	attempts := op.Attempts
	op.Reset()
	op.Attempts = attempts
	return c.failure(ctx, err)
}

// send carries out op, after a new login where the member lost the token.
func (c *client) send(op *drivers.Op) error {
	o, logins := c.ops[op.Spec], c.conn.logins.Load()
	err := o.do(c.calls, c.conn, op)
	if err == nil || !c.conn.user || !tokenLost(err) {
		return err
	}
	sent, err := c.conn.renew(c.calls, logins)
	if sent {
		op.Attempts++
	}
	if err != nil {
		return err
	}
	return o.do(c.calls, c.conn, op)
}

// failure says what a failed request is counted as.
func (c *client) failure(ctx context.Context, err error) *drivers.Error {
	text := status.Convert(err).Message()
	switch {
	case c.conn.closed.Load():
		return &drivers.Error{Class: drivers.Unavailable, Err: fmt.Errorf("etcd: the connection was closed: %s", text)}
	case ctx.Err() != nil:
		return &drivers.Error{Class: drivers.Other, Err: fmt.Errorf("etcd: cancelled: %w", context.Cause(ctx))}
	case notConnected(err):
		return &drivers.Error{Class: drivers.Unavailable, Err: fmt.Errorf("etcd: not connected: %s", text)}
	case c.calls.Err() != nil:
		return &drivers.Error{Class: drivers.Timeout, Err: errors.New("etcd: no answer by the deadline")}
	}
	return &drivers.Error{Class: classify(err), Err: fmt.Errorf("etcd: %s", text)}
}

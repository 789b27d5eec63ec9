package zookeeper

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// client carries out the requests of one virtual client.
type client struct {
	conn  *conn
	ops   []operation
	call  *call                    // used again for each request, unless it was left behind
	phase context.Context          // that calls was made from
	calls *drivers.DeadlineContext // of its requests, until one has to be given up; nil: to be made
}

// Client binds the operations of a phase.
func (c *conn) Client(ops []drivers.OpSpec) (drivers.Client, error) {
	bound := make([]operation, len(ops))
	for i := range ops {
		o, err := bind(&ops[i], &c.settings)
		if err != nil {
			return nil, fmt.Errorf("zookeeper: operation %d: %w", i, err)
		}
		bound[i] = o
	}
	return &client{conn: c, ops: bound}, nil
}

// Do carries out one request.
func (c *client) Do(ctx context.Context, op *drivers.Op) error {
	op.Reset()
	if err := c.hopeless(ctx, op); err != nil {
		return err
	}
	if c.calls == nil || c.phase != ctx || c.calls.Err() != nil {
		c.phase, c.calls = ctx, drivers.NewDeadlineContext(ctx)
	}
	c.calls.Begin(op.Deadline)
	defer c.calls.End()
	if err := c.waitForSession(ctx); err != nil {
		return err
	}
	if c.call == nil {
		c.call = newCall(c.conn)
	}
	call := c.call
	call.take(op)
	call.next <- c.ops[op.Spec]
	select {
	case <-call.done:
		return c.finish(ctx, op)
	case <-c.calls.Done():
	case <-c.conn.closed:
	}
	op.Attempts = call.leave()
	c.call = nil
	return c.interrupted(ctx, errors.New("no answer by the deadline"), drivers.Timeout)
}

// hopeless says why a request need not be sent; nil: it is sent.
func (c *client) hopeless(ctx context.Context, op *drivers.Op) error {
	select {
	case <-c.conn.closed:
		return fail(drivers.Unavailable, errClosed)
	default:
	}
	if err := ctx.Err(); err != nil {
		return fail(drivers.Other, fmt.Errorf("cancelled: %w", context.Cause(ctx)))
	}
	if !op.Deadline.IsZero() && !time.Now().Before(op.Deadline) {
		return fail(drivers.Timeout, errors.New("the deadline had passed before the request was sent"))
	}
	return nil
}

// waitForSession keeps requests out of the library while there is no session:
// there they would wait, and be sent long after they were given up.
func (c *client) waitForSession(ctx context.Context) error {
	up := c.conn.link.session()
	select {
	case <-up:
		return nil
	default:
	}
	none := c.conn.link.reason(errors.New("there is no session"))
	if c.conn.settings.failFast {
		return fail(drivers.Unavailable, none)
	}
	select {
	case <-up:
		return nil
	case <-c.calls.Done():
	case <-c.conn.closed:
	}
	return c.interrupted(ctx, none, drivers.Unavailable)
}

// finish hands over the results of a request that has ended by itself.
func (c *client) finish(ctx context.Context, op *drivers.Op) error {
	err := c.call.explain()
	c.call.give(op)
	if err == nil {
		return nil
	}
	return c.interrupted(ctx, err, classify(err))
}

// interrupted is the error of a request that failed, unless that is because the
// connection was closed or the phase has ended.
func (c *client) interrupted(ctx context.Context, err error, class drivers.Class) error {
	select {
	case <-c.conn.closed:
		return fail(drivers.Unavailable, errClosed)
	default:
	}
	if ctx.Err() != nil {
		return fail(drivers.Other, fmt.Errorf("cancelled: %w", context.Cause(ctx)))
	}
	return fail(class, err)
}

func fail(class drivers.Class, err error) error {
	return &drivers.Error{Class: class, Err: fmt.Errorf("zookeeper: %w", err)}
}

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
	phase context.Context // that call was made from
	call  *call           // nil: to be made
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
	if c.call == nil || c.phase != ctx || c.call.ctx.Err() != nil {
		c.phase, c.call = ctx, newCall(ctx, c.conn)
	}
	c.call.ctx.Begin(op.Deadline)
	defer c.call.ctx.End()
	if err := c.waitForSession(ctx); err != nil {
		return err
	}
	err := c.call.carryOut(c.ops[op.Spec], op)
	if err == nil {
		c.call.answered()
		return nil
	}
	if c.call.ctx.Err() != nil {
		return c.interrupted(ctx, errLate, drivers.Timeout)
	}
	err = c.call.explain(err)
	return c.interrupted(ctx, err, classify(err))
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
	if !op.Deadline.IsZero() && time.Until(op.Deadline) <= 0 {
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
	case <-c.call.ctx.Done():
	case <-c.conn.closed:
	}
	return c.interrupted(ctx, none, drivers.Unavailable)
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

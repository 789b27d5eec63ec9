package inproc

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// client carries out the requests of one virtual client. What takes microseconds
// runs in the caller's goroutine, so that the engine is measured and not a switch
// of goroutines. What waits for the disk or for other writers runs in one of its
// own and is given up at the deadline; the next request then waits until it has
// ended. The engine's calls can't be cancelled.
type client struct {
	conn     *conn
	bound    []binding
	ctx      context.Context // of the request under way
	deadline time.Time       // of it; zero: none

	halt    func(bytes int) bool // halted, bound once
	waiting func()               // inBackground, bound once
	running command              // in the background
	busy    bool                 // it has not been waited for
	done    chan error
	timer   *time.Timer // made at the first wait
	pace    pace
}

// pace counts what has been done since the clock was last looked at.
type pace struct{ steps, bytes int }

const (
	stepsBetween = 64      // entries of a scan between two looks at the clock
	bytesBetween = 4 << 20 // or as many bytes
)

func newClient(c *conn, bound []binding) *client {
	cl := &client{conn: c, bound: bound, done: make(chan error, 1)}
	cl.halt, cl.waiting = cl.halted, cl.inBackground
	return cl
}

// Do carries out one request.
func (c *client) Do(ctx context.Context, op *drivers.Op) error {
	op.Reset()
	if c.conn.closed.Load() {
		return c.conn.member.errClosed()
	}
	if ctx.Err() != nil {
		return c.errCancelled(ctx)
	}
	b := &c.bound[op.Spec]
	if !b.reads && late(op.Deadline) {
		return c.conn.member.errTimeout()
	}
	if c.busy { // with one that was given up
		if _, err := c.wait(ctx, op.Deadline); err != nil {
			return err
		}
	}
	c.ctx, c.deadline, c.pace = ctx, op.Deadline, pace{}
	if err := b.command.load(op); err != nil {
		return c.failed(err)
	}
	if !c.conn.door.enter() {
		return c.conn.member.errClosed()
	}
	op.Attempts = 1
	result, err := c.run(b)
	if err != nil {
		return err
	}
	if result != nil {
		return c.failed(result)
	}
	if late(op.Deadline) {
		return c.conn.member.errTimeout() // it was done, and too late
	}
	b.command.result(op)
	return nil
}

// run gives what the command has returned, or the reason for giving it up.
func (c *client) run(b *binding) (result error, gaveUp error) {
	if !b.waits {
		result = b.command.run(c.halt)
		c.conn.door.leave()
		return result, nil
	}
	c.running, c.busy = b.command, true
	go c.waiting()
	return c.wait(c.ctx, c.deadline)
}

func (c *client) inBackground() {
	err := c.running.run(c.halt)
	c.conn.door.leave()
	c.done <- err
}

// wait waits for the command in the background.
func (c *client) wait(ctx context.Context, deadline time.Time) (result error, gaveUp error) {
	var late <-chan time.Time
	if !deadline.IsZero() {
		if c.timer == nil {
			c.timer = time.NewTimer(time.Until(deadline))
		} else {
			c.timer.Reset(time.Until(deadline))
		}
		defer c.timer.Stop()
		late = c.timer.C
	}
	select {
	case result = <-c.done:
		c.busy, c.running = false, nil
		return result, nil
	case <-late:
		return nil, c.conn.member.errTimeout()
	case <-ctx.Done():
		return nil, c.errCancelled(ctx)
	case <-c.conn.ended:
		return nil, c.conn.member.errClosed()
	}
}

// halted is asked by commands that read much; it reports whether to go on no
// more.
func (c *client) halted(bytes int) bool {
	c.pace.steps++
	c.pace.bytes += bytes
	if c.pace.steps < stepsBetween && c.pace.bytes < bytesBetween {
		return false
	}
	c.pace = pace{}
	return c.conn.closed.Load() || c.over(c.ctx, c.deadline) != nil
}

// over tells whether the context or the time of a request has ended.
func (c *client) over(ctx context.Context, deadline time.Time) error {
	if ctx.Err() != nil {
		return c.errCancelled(ctx)
	}
	if late(deadline) {
		return c.conn.member.errTimeout()
	}
	return nil
}

// late reads the monotonic clock alone, which time.Now does not.
func late(deadline time.Time) bool { return !deadline.IsZero() && time.Until(deadline) <= 0 }

// failed says what a failed request is counted as.
func (c *client) failed(err error) error {
	m := c.conn.member
	if c.conn.closed.Load() {
		return m.errClosed()
	}
	if errors.Is(err, errHalted) {
		if err := c.over(c.ctx, c.deadline); err != nil {
			return err
		}
	}
	class := drivers.Refused
	if !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EDQUOT) {
		class = m.store.Class(err)
	}
	return &drivers.Error{Class: class, Err: fmt.Errorf("%s: %w", m.name, err)}
}

func (c *client) errCancelled(ctx context.Context) *drivers.Error {
	return &drivers.Error{Class: drivers.Other, Err: fmt.Errorf("%s: cancelled: %w", c.conn.member.name, context.Cause(ctx))}
}

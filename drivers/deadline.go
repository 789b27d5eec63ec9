package drivers

import (
	"context"
	"sync"
	"time"
)

// DeadlineContext is a context that one request after the other uses, each with
// a deadline of its own. A context.WithDeadline for each would cost a timer set
// and stopped and four allocations a request. Here one timer stays set: when it
// fires it looks at the deadline of the request then under way, and is mostly
// set anew. Once a deadline has passed the context has ended, and the next
// request needs a new one. It serves one goroutine.
type DeadlineContext struct {
	context.Context // ends with the parent, with a deadline that passes, or by Cancel
	cancel          context.CancelCauseFunc

	mu       sync.Mutex
	deadline time.Time // of the request under way; zero: none is, or it has none
	fires    time.Time // when the timer does; zero: it is not set
	timer    *time.Timer
}

// NewDeadlineContext makes one that ends with parent, or by Cancel.
func NewDeadlineContext(parent context.Context) *DeadlineContext {
	c := &DeadlineContext{}
	c.Context, c.cancel = context.WithCancelCause(parent)
	return c
}

// Cancel ends the context with a cause.
func (c *DeadlineContext) Cancel(cause error) { c.cancel(cause) }

// Deadline is that of the request under way.
func (c *DeadlineContext) Deadline() (time.Time, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.deadline, !c.deadline.IsZero()
}

// Begin sets the deadline of the next request.
func (c *DeadlineContext) Begin(deadline time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deadline = deadline
	if deadline.IsZero() || !c.fires.IsZero() && !deadline.Before(c.fires) {
		return
	}
	c.set(deadline)
}

// End says that no request is under way.
func (c *DeadlineContext) End() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deadline = time.Time{}
}

// set lets the timer fire at a deadline. c.mu is held.
func (c *DeadlineContext) set(at time.Time) {
	c.fires = at
	if c.timer == nil {
		c.timer = time.AfterFunc(time.Until(at), c.fire)
	} else {
		c.timer.Reset(time.Until(at))
	}
}

func (c *DeadlineContext) fire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fires = time.Time{}
	switch {
	case c.deadline.IsZero():
	case time.Now().Before(c.deadline):
		c.set(c.deadline)
	default:
		c.cancel(context.DeadlineExceeded)
	}
}

package mem

import (
	"context"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// client serves one virtual client; it waits in Do as long as the script says.
type client struct {
	conn  *conn
	ops   []drivers.OpSpec
	timer *time.Timer // made at the first wait
}

func (c *client) Do(ctx context.Context, op *drivers.Op) error {
	m := c.conn.member
	spec := &c.ops[op.Spec]
	if c.conn.closed.Load() {
		op.Reset()
		return errClosed()
	}
	if ctx.Err() != nil {
		op.Reset()
		return errCancelled(context.Cause(ctx))
	}
	now := m.now()
	a := m.begin(spec, op, now)
	for a.end > now {
		if err := c.sleep(ctx, min(a.end-now, longest)); err != nil {
			op.Reset()
			op.Attempts = 1
			return err
		}
		m.hold(&a)
		now = m.now()
	}
	return m.finish(spec, &a)
}

// sleep waits, unless the context or the connection ends before.
func (c *client) sleep(ctx context.Context, d time.Duration) error {
	if c.timer == nil {
		c.timer = time.NewTimer(d)
	} else {
		c.timer.Reset(d)
	}
	select {
	case <-c.timer.C:
		return nil
	case <-ctx.Done():
		c.timer.Stop()
		return errCancelled(context.Cause(ctx))
	case <-c.conn.ended:
		c.timer.Stop()
		return errClosed()
	}
}

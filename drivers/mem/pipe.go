package mem

import (
	"context"
	"fmt"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// pipe carries many virtual clients in one goroutine. Requests that end at once
// wait in a list, the others in a heap by the time at which they end.
type pipe struct {
	conn    *conn
	ops     []drivers.OpSpec
	clients int
	instant bool // nothing ever waits: no clock is read
	ready   []*drivers.Op
	waiting schedule
	timer   *time.Timer // made at the first wait
}

func newPipe(c *conn, ops []drivers.OpSpec, clients int) *pipe {
	_, stores := c.member.store.(*table)
	return &pipe{
		conn:    c,
		ops:     ops,
		clients: clients,
		instant: c.member.script.plain && !stores,
		ready:   make([]*drivers.Op, 0, clients),
	}
}

// Submit queues op.
func (p *pipe) Submit(op *drivers.Op) error {
	if p.conn.closed.Load() {
		return errClosed()
	}
	if len(p.ready)+len(p.waiting) >= p.clients {
		return fmt.Errorf("mem: submit: %d requests are under way already, the most that the pipe was made for", p.clients)
	}
	if p.instant {
		p.ready = append(p.ready, op)
		return nil
	}
	m := p.conn.member
	p.waiting.push(m.begin(&p.ops[op.Spec], op, m.now()))
	return nil
}

// Flush has nothing to do: what is submitted is under way.
func (p *pipe) Flush() error { return nil }

// Reap gives ended requests back. Once the connection is closed those are all
// that were under way, as failed, and then it is an error to call it.
func (p *pipe) Reap(ctx context.Context, done []*drivers.Op, wait time.Duration) (int, error) {
	n := p.collect(done)
	if n > 0 || wait <= 0 || len(done) == 0 {
		return n, nil
	}
	m := p.conn.member
	until := m.now() + min(wait, longest)
	for {
		if p.conn.closed.Load() {
			return 0, errClosed()
		}
		left := until - m.now()
		if left <= 0 {
			return 0, nil
		}
		if err := p.sleep(ctx, left); err != nil {
			return 0, err
		}
		if n := p.collect(done); n > 0 {
			return n, nil
		}
	}
}

// collect gives back what has ended by now.
func (p *pipe) collect(done []*drivers.Op) int {
	switch {
	case p.conn.closed.Load():
		return p.abandon(done)
	case p.instant:
		return p.answer(done)
	case len(p.waiting) == 0:
		return 0
	}
	m := p.conn.member
	now := m.now()
	n := 0
	for n < len(done) && len(p.waiting) > 0 && p.waiting[0].end <= now {
		a := &p.waiting[0]
		if m.hold(a); a.end > now {
			p.waiting.sink()
			continue
		}
		a.op.Err = m.finish(&p.ops[a.op.Spec], a)
		done[n] = a.op
		n++
		p.waiting.pop()
	}
	return n
}

// answer serves requests that never wait.
func (p *pipe) answer(done []*drivers.Op) int {
	n := copy(done, p.ready)
	for _, op := range done[:n] {
		p.conn.member.store.apply(&p.ops[op.Spec], op)
	}
	p.ready = p.ready[:copy(p.ready, p.ready[n:])]
	return n
}

// abandon gives everything back as failed: the connection is closed.
func (p *pipe) abandon(done []*drivers.Op) int {
	n := 0
	for ; n < len(done) && len(p.ready) > 0; n++ {
		last := len(p.ready) - 1
		done[n], p.ready = p.ready[last], p.ready[:last]
	}
	for ; n < len(done) && len(p.waiting) > 0; n++ {
		last := len(p.waiting) - 1
		done[n], p.waiting = p.waiting[last].op, p.waiting[:last]
	}
	for _, op := range done[:n] {
		op.Reset()
		op.Err = errClosed()
	}
	return n
}

// sleep waits until the next request ends, the connection is closed, or d has
// passed.
func (p *pipe) sleep(ctx context.Context, d time.Duration) error {
	if len(p.waiting) > 0 {
		d = min(d, max(0, p.waiting[0].end-p.conn.member.now()))
	}
	if p.timer == nil {
		p.timer = time.NewTimer(d)
	} else {
		p.timer.Reset(d)
	}
	defer p.timer.Stop()
	select {
	case <-p.timer.C:
	case <-p.conn.ended:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// Close gives up what is under way.
func (p *pipe) Close() error {
	p.ready, p.waiting = p.ready[:0], nil
	return nil
}

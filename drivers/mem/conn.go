package mem

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// conn is one connection. There is no wire: it only knows whether it was closed.
type conn struct {
	member *member
	closed atomic.Bool
	once   sync.Once
	ended  chan struct{} // closed by end
}

// Client binds the operations of a phase.
func (c *conn) Client(ops []drivers.OpSpec) (drivers.Client, error) {
	if err := c.check(ops); err != nil {
		return nil, err
	}
	if store, ok := c.member.store.(null); ok && c.member.script.plain {
		return &nullClient{conn: c, store: store, ops: ops}, nil
	}
	return &client{conn: c, ops: ops}, nil
}

// Pipe binds the operations of a phase for one goroutine that carries many.
func (c *conn) Pipe(ops []drivers.OpSpec, clients int) (drivers.Pipe, error) {
	if err := c.check(ops); err != nil {
		return nil, err
	}
	if clients < 1 {
		return nil, fmt.Errorf("mem: a pipe for %d clients: want at least 1", clients)
	}
	return newPipe(c, ops, clients), nil
}

// Close ends the connection and whatever waits on it.
func (c *conn) Close() error {
	c.member.mu.Lock()
	delete(c.member.conns, c)
	c.member.mu.Unlock()
	c.end()
	return nil
}

func (c *conn) end() {
	c.once.Do(func() {
		c.closed.Store(true)
		close(c.ended)
	})
}

func (c *conn) check(ops []drivers.OpSpec) error {
	if c.closed.Load() {
		return errClosed()
	}
	spec := spec()
	for i, op := range ops {
		if err := check(&spec, &op, false); err != nil {
			return fmt.Errorf("mem: operation %d: %w", i, err)
		}
	}
	return nil
}

func check(spec *drivers.Spec, op *drivers.OpSpec, inTxn bool) error {
	info := spec.Op(op.Kind)
	if info == nil || inTxn && op.Kind == drivers.Txn {
		return fmt.Errorf("%v can't be done here", op.Kind)
	}
	if _, ok := info.Resolve(op.Consistency); !ok {
		return fmt.Errorf("%v has no consistency %q", op.Kind, op.Consistency)
	}
	if op.KeysOnly && !info.KeysOnly {
		return fmt.Errorf("%v: there are no keys alone to be read", op.Kind)
	}
	if op.TTL < 0 || op.Limit < 0 {
		return fmt.Errorf("%v with ttl %v and limit %d: want at least 0", op.Kind, op.TTL, op.Limit)
	}
	for i := range op.Ops {
		if err := check(spec, &op.Ops[i], true); err != nil {
			return fmt.Errorf("%v: %w", op.Kind, err)
		}
	}
	return nil
}

func errClosed() *drivers.Error {
	return &drivers.Error{Class: drivers.Unavailable, Err: errors.New("mem: the connection is closed")}
}

func errTimeout() *drivers.Error {
	return &drivers.Error{Class: drivers.Timeout, Err: errors.New("mem: no answer by the deadline")}
}

func errRefused() *drivers.Error {
	return &drivers.Error{Class: drivers.Refused, Err: errors.New("mem: refused, as scripted by error_rate")}
}

// errCancelled tells of a context that ended before its request did.
func errCancelled(cause error) *drivers.Error {
	return &drivers.Error{Class: drivers.Other, Err: fmt.Errorf("mem: cancelled: %w", cause)}
}

const (
	forever = time.Duration(1<<63 - 1) // the deadline of a request that has none
	longest = time.Duration(1 << 62)   // the most that is waited at once: sums stay in range
)

package inproc

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/kvscen/kvscen/drivers"
)

// conn is one connection. There is no wire: it only knows whether it has ended.
type conn struct {
	member *member
	door   *door // of its calls
	spec   *drivers.Spec
	closed atomic.Bool
	once   sync.Once
	ended  chan struct{} // closed by end
}

// Client binds the operations of a phase.
func (c *conn) Client(ops []drivers.OpSpec) (drivers.Client, error) {
	if c.closed.Load() {
		return nil, c.member.errClosed()
	}
	bound := make([]binding, len(ops))
	for i := range ops {
		if err := c.check(&ops[i], false); err != nil {
			return nil, fmt.Errorf("%s: operation %d: %w", c.spec.Name, i, err)
		}
		bound[i] = bind(c.member.store, &ops[i])
	}
	return newClient(c, bound), nil
}

// Close ends the connection. A request under way returns at once; what it has
// begun in the engine ends by itself.
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

// Status gives the version of the engine. It has no leader.
func (c *conn) Status(context.Context) (drivers.Status, error) {
	if c.closed.Load() {
		return drivers.Status{}, c.member.errClosed()
	}
	return drivers.Status{Version: c.member.version, ID: c.member.endpoint}, nil
}

func (c *conn) check(op *drivers.OpSpec, inTxn bool) error {
	info := c.spec.Op(op.Kind)
	if info == nil || inTxn && op.Kind == drivers.Txn {
		return fmt.Errorf("%v can't be done here", op.Kind)
	}
	if _, ok := info.Resolve(op.Consistency); !ok {
		return fmt.Errorf("%v has no consistency %q", op.Kind, op.Consistency)
	}
	if op.TTL != 0 {
		return fmt.Errorf("%v: keys have no time to live here", op.Kind)
	}
	if op.KeysOnly && !info.KeysOnly {
		return fmt.Errorf("%v: there are no keys alone to be read", op.Kind)
	}
	if op.Limit < 0 {
		return fmt.Errorf("%v with limit %d: want at least 0", op.Kind, op.Limit)
	}
	for i := range op.Ops {
		if err := c.check(&op.Ops[i], true); err != nil {
			return fmt.Errorf("%v: %w", op.Kind, err)
		}
	}
	return nil
}

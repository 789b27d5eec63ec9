package mem

import (
	"context"

	"github.com/kvscen/kvscen/drivers"
)

// null is the backend that stores nothing: each key is there, with one value.
type null struct{ value []byte }

func (b null) apply(spec *drivers.OpSpec, op *drivers.Op) {
	op.Reset()
	op.Attempts = 1
	switch spec.Kind {
	case drivers.Put:
	case drivers.Get:
		op.Found, op.Count, op.Bytes, op.Read = true, 1, int64(len(op.Key)+len(b.value)), b.value
	case drivers.Delete:
		op.Found, op.Count = true, 1
	case drivers.Scan:
		op.Count = spec.Limit
		op.Bytes = int64(spec.Limit) * int64(len(op.Key))
		if !spec.KeysOnly {
			op.Bytes += int64(spec.Limit) * int64(len(b.value))
		}
	case drivers.ListChildren:
		op.Count = spec.Limit
		op.Bytes = int64(spec.Limit) * int64(len(op.Key))
	case drivers.CAS, drivers.Exists:
		op.Found = true
	case drivers.Txn:
		op.Found = true
		for i := range op.Sub {
			sub := &op.Sub[i]
			b.apply(&spec.Ops[i], sub)
			op.Count += sub.Count
			op.Bytes += sub.Bytes
		}
	}
}

// nullClient answers at once. It is apart from client because the engine's own
// cost is measured on it: no lock, no clock, no counter, no allocation.
type nullClient struct {
	conn  *conn
	store null
	ops   []drivers.OpSpec
}

func (c *nullClient) Do(_ context.Context, op *drivers.Op) error {
	if c.conn.closed.Load() {
		op.Reset()
		return errClosed()
	}
	c.store.apply(&c.ops[op.Spec], op)
	return nil
}

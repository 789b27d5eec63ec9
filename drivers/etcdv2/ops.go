package etcdv2

import (
	"context"
	"fmt"

	v2 "go.etcd.io/etcd/client/v2"

	"github.com/kvscen/kvscen/drivers"
)

// send carries out one request.
func (c *client) send(ctx context.Context, spec *drivers.OpSpec, op *drivers.Op) error {
	switch spec.Kind {
	case drivers.Put:
		return c.put(ctx, spec, op)
	case drivers.Get:
		return c.get(ctx, spec, op)
	case drivers.Delete:
		return c.remove(ctx, op)
	case drivers.Scan:
		return c.scan(ctx, spec, op)
	case drivers.ListChildren:
		return c.list(ctx, spec, op)
	case drivers.Exists:
		return c.exists(ctx, op)
	}
	return c.swap(ctx, spec, op)
}

func (c *client) put(ctx context.Context, spec *drivers.OpSpec, op *drivers.Op) error {
	return c.set(ctx, op, &v2.SetOptions{TTL: spec.TTL, NoValueOnSuccess: true})
}

// errLarge tells of a value that would not fit into a form once it is encoded.
var errLarge = fmt.Errorf("a value of more than %d bytes", maxValue)

func (c *client) set(ctx context.Context, op *drivers.Op, options *v2.SetOptions) error {
	if len(op.Value) > maxValue {
		return errLarge
	}
	reply, err := c.keys.Set(ctx, pathOf(op.Key), encode(op.Value), options)
	if err != nil {
		return err
	}
	op.Revision = int64(reply.Index) // of the store after the write, and so of the key
	return nil
}

func (c *client) get(ctx context.Context, spec *drivers.OpSpec, op *drivers.Op) error {
	reply, err := c.keys.Get(ctx, pathOf(op.Key), &v2.GetOptions{Quorum: spec.Consistency == byQuorum})
	if isMissing(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if reply.Node.Dir {
		return fmt.Errorf("%q is a directory", op.Key)
	}
	op.Found, op.Count, op.Revision = true, 1, int64(reply.Node.ModifiedIndex)
	op.Bytes = int64(len(op.Key) + valueLen(reply.Node.Value))
	if spec.Keep {
		op.Read, err = decode(reply.Node.Value)
	}
	return err
}

func (c *client) remove(ctx context.Context, op *drivers.Op) error {
	reply, err := c.keys.Delete(ctx, pathOf(op.Key), nil)
	if isMissing(err) {
		return nil
	}
	if err != nil {
		return err
	}
	op.Found, op.Count, op.Revision = true, 1, int64(reply.Node.ModifiedIndex)
	return nil
}

func (c *client) list(ctx context.Context, spec *drivers.OpSpec, op *drivers.Op) error {
	reply, err := c.keys.Get(ctx, pathOf(op.Key), &v2.GetOptions{Quorum: spec.Consistency == byQuorum})
	if isMissing(err) {
		return nil
	}
	if err != nil {
		return err
	}
	op.Count, op.Revision = len(reply.Node.Nodes), int64(reply.Node.ModifiedIndex)
	for _, n := range reply.Node.Nodes {
		op.Bytes += int64(keyLen(n.Key))
	}
	return nil
}

// swap writes where the key is as expected. A swap on the current revision reads
// that first; a key that is not there is then created.
func (c *client) swap(ctx context.Context, spec *drivers.OpSpec, op *drivers.Op) error {
	expected := op.Expected
	switch {
	case spec.Absent:
		expected = drivers.ExpectAbsent
	case expected == drivers.ExpectCurrent:
		now := drivers.Op{Key: op.Key}
		if err := c.get(ctx, &drivers.OpSpec{Kind: drivers.Get, Consistency: byQuorum}, &now); err != nil {
			return err
		}
		expected = now.Revision
	}
	options := &v2.SetOptions{PrevIndex: uint64(expected), NoValueOnSuccess: true}
	if expected == drivers.ExpectAbsent {
		options.PrevExist = v2.PrevNoExist
	}
	err := c.set(ctx, op, options)
	if isCode(err, v2.ErrorCodeTestFailed) || isCode(err, v2.ErrorCodeNodeExist) || isMissing(err) {
		return nil
	}
	op.Found = err == nil
	return err
}

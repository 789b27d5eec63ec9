package etcd

import (
	"context"
	"fmt"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"

	"github.com/kvscen/kvscen/drivers"
)

// txn carries out steps in one transaction. It is committed if the conditions
// of all of its swaps hold.
type txn struct {
	steps   []step
	message pb.TxnRequest
}

func newTxn(spec *drivers.OpSpec) (*txn, error) {
	t := &txn{}
	for i := range spec.Ops {
		s, err := newStep(&spec.Ops[i])
		if err != nil {
			return nil, fmt.Errorf("txn: %w", err)
		}
		t.steps = append(t.steps, s)
	}
	return t, nil
}

func (t *txn) do(ctx context.Context, c *conn, op *drivers.Op) error {
	t.message.Compare, t.message.Success = t.message.Compare[:0], t.message.Success[:0]
	for i, s := range t.steps {
		sub := &op.Sub[i]
		sub.Reset()
		condition, err := s.prepare(ctx, c, sub)
		op.Attempts += sub.Attempts
		if err != nil {
			return err
		}
		if condition != nil {
			t.message.Compare = append(t.message.Compare, condition)
		}
		t.message.Success = append(t.message.Success, s.request(sub))
	}
	op.Attempts++
	reply, err := c.kv.Txn(ctx, &t.message)
	if err != nil {
		return err
	}
	op.Revision = revision(reply.Header)
	if !reply.Succeeded {
		return nil
	}
	op.Found = true
	for i, s := range t.steps {
		sub := &op.Sub[i]
		s.result(reply.Responses[i], sub)
		op.Count += sub.Count
		op.Bytes += sub.Bytes
	}
	return nil
}

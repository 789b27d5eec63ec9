package etcd

import (
	"context"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"

	"github.com/kvscen/kvscen/drivers"
)

// cas writes a key if its mod revision is the one expected. A key that does not
// exist has mod revision 0.
type cas struct {
	put
	absent    bool // whatever op says, it must not exist
	look      pb.RangeRequest
	condition pb.Compare
	expected  pb.Compare_ModRevision
	txn       pb.TxnRequest
}

func newCAS(absent bool, seconds int64) *cas {
	s := &cas{absent: absent}
	s.put.seconds = seconds
	s.wrapped.RequestPut = &s.message
	s.inTxn.Request = &s.wrapped
	s.look.KeysOnly = true
	s.condition.Target, s.condition.Result = pb.Compare_MOD, pb.Compare_EQUAL
	s.condition.TargetUnion = &s.expected
	s.txn.Compare = []*pb.Compare{&s.condition}
	s.txn.Success = []*pb.RequestOp{&s.inTxn}
	return s
}

func (s *cas) do(ctx context.Context, c *conn, op *drivers.Op) error {
	if _, err := s.prepare(ctx, c, op); err != nil {
		return err
	}
	s.fill(op)
	op.Attempts++
	reply, err := c.kv.Txn(ctx, &s.txn)
	if err != nil {
		return err
	}
	if reply.Succeeded {
		op.Found, op.Revision = true, revision(reply.Header)
	}
	return nil
}

// prepare finds the revision to expect.
func (s *cas) prepare(ctx context.Context, c *conn, op *drivers.Op) (*pb.Compare, error) {
	if _, err := s.put.prepare(ctx, c, op); err != nil {
		return nil, err
	}
	s.condition.Key = op.Key
	switch {
	case s.absent:
		s.expected.ModRevision = drivers.ExpectAbsent
	case op.Expected != drivers.ExpectCurrent:
		s.expected.ModRevision = op.Expected
	default:
		s.look.Key = op.Key
		op.Attempts++
		reply, err := c.kv.Range(ctx, &s.look)
		if err != nil {
			return nil, err
		}
		s.expected.ModRevision = 0
		if len(reply.Kvs) > 0 {
			s.expected.ModRevision = reply.Kvs[0].ModRevision
		}
	}
	return &s.condition, nil
}

func (s *cas) result(reply *pb.ResponseOp, op *drivers.Op) {
	s.put.result(reply, op)
	op.Found = true
}

package etcd

import (
	"context"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"

	"github.com/kvscen/kvscen/drivers"
)

// put writes a key. With a time to live it is given a lease of its own, which
// costs a request, but lets each key expire when it is due.
type put struct {
	message pb.PutRequest
	seconds int64 // of the lease; 0: none
	wrapped pb.RequestOp_RequestPut
	inTxn   pb.RequestOp
}

func newPut(seconds int64) *put {
	p := &put{seconds: seconds}
	p.wrapped.RequestPut = &p.message
	p.inTxn.Request = &p.wrapped
	return p
}

func (p *put) do(ctx context.Context, c *conn, op *drivers.Op) error {
	if _, err := p.prepare(ctx, c, op); err != nil {
		return err
	}
	p.fill(op)
	op.Attempts++
	reply, err := c.kv.Put(ctx, &p.message)
	if err != nil {
		return err
	}
	op.Revision = revision(reply.Header)
	return nil
}

// prepare asks for the lease.
func (p *put) prepare(ctx context.Context, c *conn, op *drivers.Op) (*pb.Compare, error) {
	if p.seconds == 0 {
		return nil, nil
	}
	op.Attempts++
	lease, err := c.lease.LeaseGrant(ctx, &pb.LeaseGrantRequest{TTL: p.seconds})
	if err != nil {
		return nil, err
	}
	p.message.Lease = lease.ID
	return nil, nil
}

func (p *put) fill(op *drivers.Op) { p.message.Key, p.message.Value = op.Key, op.Value }

func (p *put) request(op *drivers.Op) *pb.RequestOp {
	p.fill(op)
	return &p.inTxn
}

func (p *put) result(reply *pb.ResponseOp, op *drivers.Op) {
	op.Revision = revision(reply.GetResponsePut().GetHeader())
}

// remove deletes a key.
type remove struct {
	alone
	message pb.DeleteRangeRequest
	wrapped pb.RequestOp_RequestDeleteRange
	inTxn   pb.RequestOp
}

func newDelete() *remove {
	d := &remove{}
	d.wrapped.RequestDeleteRange = &d.message
	d.inTxn.Request = &d.wrapped
	return d
}

func (d *remove) do(ctx context.Context, c *conn, op *drivers.Op) error {
	d.message.Key = op.Key
	op.Attempts++
	reply, err := c.kv.DeleteRange(ctx, &d.message)
	if err != nil {
		return err
	}
	d.digest(reply, op)
	return nil
}

func (d *remove) digest(reply *pb.DeleteRangeResponse, op *drivers.Op) {
	op.Found, op.Count, op.Revision = reply.Deleted > 0, int(reply.Deleted), revision(reply.Header)
}

func (d *remove) request(op *drivers.Op) *pb.RequestOp {
	d.message.Key = op.Key
	return &d.inTxn
}

func (d *remove) result(reply *pb.ResponseOp, op *drivers.Op) {
	d.digest(reply.GetResponseDeleteRange(), op)
}

package etcd

import (
	"bytes"
	"context"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"

	"github.com/kvscen/kvscen/drivers"
)

// read is the step behind get, scan, list and exists: a Range. They differ in the range
// that they ask for and in what they make of the reply.
type read struct {
	alone
	message pb.RangeRequest
	span    func(m *pb.RangeRequest, op *drivers.Op)
	digest  func(r *pb.RangeResponse, op *drivers.Op)
	wrapped pb.RequestOp_RequestRange
	inTxn   pb.RequestOp
}

func newRead(weak bool, limit int) *read {
	r := &read{}
	r.message.Serializable, r.message.Limit = weak, int64(limit)
	r.wrapped.RequestRange = &r.message
	r.inTxn.Request = &r.wrapped
	return r
}

func (r *read) do(ctx context.Context, c *conn, op *drivers.Op) error {
	r.span(&r.message, op)
	op.Attempts++
	reply, err := c.kv.Range(ctx, &r.message)
	if err != nil {
		return err
	}
	r.digest(reply, op)
	return nil
}

func (r *read) request(op *drivers.Op) *pb.RequestOp {
	r.span(&r.message, op)
	return &r.inTxn
}

func (r *read) result(reply *pb.ResponseOp, op *drivers.Op) {
	r.digest(reply.GetResponseRange(), op)
}

func newGet(weak bool) *read {
	r := newRead(weak, 0)
	r.span = func(m *pb.RangeRequest, op *drivers.Op) { m.Key = op.Key }
	r.digest = func(reply *pb.RangeResponse, op *drivers.Op) {
		if len(reply.Kvs) == 0 {
			return
		}
		kv := reply.Kvs[0]
		op.Found, op.Count, op.Revision = true, 1, kv.ModRevision
		op.Bytes, op.Read = int64(len(kv.Key)+len(kv.Value)), kv.Value
	}
	return r
}

// newExists asks for the number of keys alone, which the member knows from its
// index: no value is read, there or here.
func newExists(weak bool) *read {
	r := newRead(weak, 0)
	r.message.CountOnly = true
	r.span = func(m *pb.RangeRequest, op *drivers.Op) { m.Key = op.Key }
	r.digest = func(reply *pb.RangeResponse, op *drivers.Op) {
		op.Found, op.Revision = reply.Count > 0, revision(reply.Header)
	}
	return r
}

func newScan(weak bool, spec *drivers.OpSpec) *read {
	r := newRead(weak, spec.Limit)
	r.message.KeysOnly = spec.KeysOnly
	keep, entries := spec.Keep, []drivers.Entry(nil) // its memory is used again
	r.span = func(m *pb.RangeRequest, op *drivers.Op) {
		m.Key, m.RangeEnd = op.Key, op.End
		if len(m.Key) == 0 {
			m.Key = firstKey
		}
		if len(m.RangeEnd) == 0 {
			m.RangeEnd = noEnd
		}
	}
	r.digest = func(reply *pb.RangeResponse, op *drivers.Op) {
		op.Count, op.Revision = len(reply.Kvs), revision(reply.Header)
		entries = entries[:0]
		for _, kv := range reply.Kvs {
			op.Bytes += int64(len(kv.Key) + len(kv.Value))
			if keep {
				entries = append(entries, drivers.Entry{Key: kv.Key, Value: kv.Value})
			}
		}
		op.Entries = entries
	}
	return r
}

// newList reads the names one level below a key: those behind its slash that
// hold no further one. etcd's keys have no levels: deeper ones are read too, and
// are not counted.
func newList(weak bool, limit int) *read {
	r := newRead(weak, limit)
	r.message.KeysOnly = true
	var from, end []byte
	r.span = func(m *pb.RangeRequest, op *drivers.Op) {
		name := bytes.TrimSuffix(op.Key, slash)
		from = append(append(from[:0], name...), '/')
		end = append(append(end[:0], name...), '/'+1)
		m.Key, m.RangeEnd = from, end
	}
	r.digest = func(reply *pb.RangeResponse, op *drivers.Op) {
		op.Revision = revision(reply.Header)
		for _, kv := range reply.Kvs {
			if bytes.IndexByte(kv.Key[len(from):], '/') < 0 {
				op.Count++
				op.Bytes += int64(len(kv.Key))
			}
		}
	}
	return r
}

// Bounds of ranges as etcd writes them; never changed.
var (
	firstKey = []byte{0} // an empty key is refused
	noEnd    = []byte{0} // all keys from the first one on
	slash    = []byte{'/'}
)

// revision of the store that a reply was given at.
func revision(h *pb.ResponseHeader) int64 { return h.GetRevision() }

package etcd

import (
	"errors"
	"strconv"
	"testing"
	"time"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/kvscen/kvscen/drivers"
)

func TestClassify(t *testing.T) {
	for _, c := range []struct {
		err  error
		want drivers.Class
	}{
		{rpctypes.ErrGRPCNoSpace, drivers.Refused},
		{rpctypes.ErrGRPCRequestTooManyRequests, drivers.Refused},
		{status.Error(codes.Unknown, "etcdserver: too many requests"), drivers.Refused},
		{status.Error(codes.Unknown, "etcdserver: leader changed"), drivers.Unavailable},
		{status.Error(codes.Unknown, "something else"), drivers.Other},
		{rpctypes.ErrGRPCPermissionDenied, drivers.Refused},
		{rpctypes.ErrGRPCUserEmpty, drivers.Refused},
		{rpctypes.ErrGRPCInvalidAuthToken, drivers.Refused},
		{rpctypes.ErrGRPCDuplicateKey, drivers.Refused},
		{rpctypes.ErrGRPCLeaseTTLTooLarge, drivers.Refused},
		{rpctypes.ErrGRPCNotSupportedForLearner, drivers.Refused},
		{rpctypes.ErrGRPCRequestTooLarge, drivers.TooLarge},
		{rpctypes.ErrGRPCTooManyOps, drivers.TooLarge},
		{status.Error(codes.ResourceExhausted, "grpc: received message larger than max (3000000 vs. 2097152)"), drivers.TooLarge},
		{status.Error(codes.ResourceExhausted, "trying to send message larger than max (3000000 vs. 2097152)"), drivers.TooLarge},
		{rpctypes.ErrGRPCNoLeader, drivers.Unavailable},
		{rpctypes.ErrGRPCLeaderChanged, drivers.Unavailable},
		{rpctypes.ErrGRPCStopped, drivers.Unavailable},
		{rpctypes.ErrGRPCTimeout, drivers.Unavailable},
		{status.Error(codes.Unavailable, "error reading from server: EOF"), drivers.Unavailable},
		{status.Error(codes.Internal, "stream terminated by RST_STREAM with error code: INTERNAL_ERROR"), drivers.Unavailable},
		{status.Error(codes.Internal, "grpc: failed to unmarshal the received message"), drivers.Other},
		{rpctypes.ErrGRPCDeadlineExceeded, drivers.Timeout},
		{status.Error(codes.Aborted, "conflict"), drivers.Conflict},
		{rpctypes.ErrGRPCCorrupt, drivers.Other},
		{rpctypes.ErrAuthFailed, drivers.Refused},
		{errors.New("of no code"), drivers.Other},
	} {
		if got := classify(c.err); got != c.want {
			t.Errorf("classify(%v) = %v, want %v", c.err, got, c.want)
		}
	}
}

// do carries out one request on a new client, doOn also gives its results.
func do(t *testing.T, c *conn, spec drivers.OpSpec, op drivers.Op) error {
	t.Helper()
	return doOn(t, c, spec, &op)
}

func doOn(t *testing.T, c *conn, spec drivers.OpSpec, op *drivers.Op) error {
	t.Helper()
	client, err := c.Client([]drivers.OpSpec{spec})
	if err != nil {
		return err
	}
	op.Deadline = time.Now().Add(time.Minute)
	return client.Do(t.Context(), op)
}

// TestQuota fills a member up to its quota.
func TestQuota(t *testing.T) {
	m := startMember(t, nil)
	m.etcd.Close()
	again := *m.config
	again.QuotaBackendBytes = 4 << 20
	m.config = &again
	m.start(t)
	c := dial(t, m.target())
	value := make([]byte, 256<<10)
	for i := range 100 {
		err := do(t, c, drivers.OpSpec{Kind: drivers.Put}, drivers.Op{Key: strconv.AppendInt(nil, int64(i), 10), Value: value})
		if err == nil {
			continue
		}
		if drivers.ClassOf(err) != drivers.Refused {
			t.Errorf("error %v over the quota, want class refused", err)
		}
		return
	}
	t.Error("25 MB went into a quota of 4 MiB")
}

func TestTxnTooLarge(t *testing.T) {
	c := dial(t, startMember(t, nil).target())
	for _, n := range []int{maxTxnOps, maxTxnOps + 1} {
		spec, op := drivers.OpSpec{Kind: drivers.Txn}, drivers.Op{}
		for i := range n {
			spec.Ops = append(spec.Ops, drivers.OpSpec{Kind: drivers.Put})
			op.Sub = append(op.Sub, drivers.Op{Key: strconv.AppendInt(nil, int64(i), 10)})
		}
		err := do(t, c, spec, op)
		if tooMany := n > maxTxnOps; tooMany != (err != nil) || tooMany && drivers.ClassOf(err) != drivers.TooLarge {
			t.Errorf("txn of %d operations: %v", n, err)
		}
	}
}

func TestPermission(t *testing.T) {
	target := startMember(t, nil).target()
	c := dial(t, target)
	if _, err := c.client.UserAdd(t.Context(), "guest", "guest"); err != nil {
		t.Fatal(err)
	}
	enableAuth(t, target, "root", "secret")
	target.User, target.Password = "guest", "guest"
	guest := dial(t, target) // a user without any right is a user all the same
	err := do(t, guest, drivers.OpSpec{Kind: drivers.Put}, drivers.Op{Key: []byte("k")})
	if drivers.ClassOf(err) != drivers.Refused || err == nil {
		t.Errorf("put without the right to: %v, want class refused", err)
	}
}

func TestBindRefusals(t *testing.T) {
	c := dial(t, startMember(t, nil).target())
	for name, spec := range map[string]drivers.OpSpec{
		"ttl of a part of a second": {Kind: drivers.Put, TTL: 1500 * time.Millisecond},
		"negative ttl":              {Kind: drivers.Put, TTL: -time.Second},
		"negative limit":            {Kind: drivers.Scan, Limit: -1},
		"consistency in a txn":      {Kind: drivers.Txn, Ops: []drivers.OpSpec{{Kind: drivers.Get, Consistency: "quorum"}}},
		"txn in a txn":              {Kind: drivers.Txn, Ops: []drivers.OpSpec{{Kind: drivers.Txn}}},
	} {
		if _, err := c.Client([]drivers.OpSpec{spec}); err == nil {
			t.Errorf("%s: a client was bound", name)
		}
	}
}

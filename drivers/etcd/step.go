package etcd

import (
	"context"
	"fmt"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"

	"github.com/kvscen/kvscen/drivers"
)

// step is an operation that can also stand in a transaction.
type step interface {
	operation
	// request puts the step into a transaction, after prepare.
	request(op *drivers.Op) *pb.RequestOp
	// prepare does what must be known beforehand, by requests of its own, and
	// gives the condition of the step; nil: there is none.
	prepare(ctx context.Context, c *conn, op *drivers.Op) (*pb.Compare, error)
	// result reads the step's part of a transaction's reply.
	result(r *pb.ResponseOp, op *drivers.Op)
}

func newStep(spec *drivers.OpSpec) (step, error) {
	weak, err := isSerializable(spec)
	if err != nil {
		return nil, err
	}
	if spec.Limit < 0 {
		return nil, fmt.Errorf("%v with limit %d: want at least 0", spec.Kind, spec.Limit)
	}
	if spec.KeysOnly && spec.Kind != drivers.Scan {
		return nil, fmt.Errorf("%v: there are no keys alone to be read", spec.Kind)
	}
	seconds, err := leaseSeconds(spec.TTL)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", spec.Kind, err)
	}
	switch spec.Kind {
	case drivers.Put:
		return newPut(seconds), nil
	case drivers.Get:
		return newGet(weak), nil
	case drivers.Delete:
		return newDelete(), nil
	case drivers.Scan:
		return newScan(weak, spec), nil
	case drivers.ListChildren:
		return newList(weak, spec.Limit), nil
	case drivers.CAS:
		return newCAS(spec.Absent, seconds), nil
	case drivers.Exists:
		return newExists(weak), nil
	}
	return nil, fmt.Errorf("%v can't be done here", spec.Kind)
}

func isSerializable(spec *drivers.OpSpec) (bool, error) {
	switch spec.Consistency {
	case "", linearizable:
		return false, nil
	case serializable:
		return true, nil
	}
	return false, fmt.Errorf("%v has no consistency %q", spec.Kind, spec.Consistency)
}

// leaseSeconds is a time to live as a lease takes it.
func leaseSeconds(ttl time.Duration) (int64, error) {
	if ttl < 0 || ttl%time.Second != 0 {
		return 0, fmt.Errorf("ttl %v: want whole seconds, which is what etcd's leases count", ttl)
	}
	return int64(ttl / time.Second), nil
}

// alone is embedded by steps that need nothing beforehand.
type alone struct{}

func (alone) prepare(context.Context, *conn, *drivers.Op) (*pb.Compare, error) { return nil, nil }

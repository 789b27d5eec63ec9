package zookeeper

import (
	"fmt"

	"github.com/kvscen/kvscen/drivers"
)

// operation is one kind of request. It may be carried out by several calls at
// once, where earlier ones were left behind.
type operation interface {
	// do sends what is needed and fills in the results of op.
	do(c *call, op *drivers.Op) error
}

func bind(spec *drivers.OpSpec, s *settings) (operation, error) {
	if spec.Kind == drivers.Txn {
		if s.proxy == zetcd {
			return nil, fmt.Errorf("%v: zetcd can't do it", spec.Kind)
		}
		return newTxn(spec, s)
	}
	strong, err := isLinearizable(spec)
	if err != nil {
		return nil, err
	}
	if spec.Limit != 0 || spec.TTL != 0 {
		return nil, fmt.Errorf("%v takes no limit and no ttl here", spec.Kind)
	}
	switch spec.Kind {
	case drivers.Put:
		if s.sequential {
			return appending{}, nil
		}
		return newPut(s.mode), nil
	case drivers.Get:
		return &get{strong: strong}, nil
	case drivers.Delete:
		return remove{}, nil
	case drivers.ListChildren:
		if s.fanout > 0 {
			return nil, fmt.Errorf("%v can't be done with the option fanout: children are spread over all nodes", spec.Kind)
		}
		return &list{strong: strong}, nil
	case drivers.Exists:
		return &exists{strong: strong}, nil
	case drivers.CAS:
		return &cas{absent: spec.Absent}, nil
	}
	return nil, fmt.Errorf("%v can't be done here", spec.Kind)
}

func isLinearizable(spec *drivers.OpSpec) (bool, error) {
	switch spec.Consistency {
	case "", local:
		return false, nil
	case linearizable:
		switch spec.Kind {
		case drivers.Get, drivers.ListChildren, drivers.Exists:
			return true, nil
		}
	}
	return false, fmt.Errorf("%v has no consistency %q", spec.Kind, spec.Consistency)
}

// revision of a node is one above its version, which begins at 0, for that
// stands for a missing key.
func revision(version int32) int64 { return int64(version) + 1 }

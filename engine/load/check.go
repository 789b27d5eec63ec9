package load

import (
	"fmt"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/dist"
)

// check looks whether what a request has read is what was written at its key. It
// is called once the request's end has been taken: the time it needs is the
// client's own, and no part of a latency.
func (g *generator) check(op *drivers.Op) error {
	if !g.checks {
		return nil
	}
	return g.ops[op.Spec].check(op)
}

func (m *maker) check(op *drivers.Op) error {
	if !op.Found && m.sub != nil {
		return nil // not committed: its parts have read nothing
	}
	for i, sub := range m.sub {
		if err := sub.check(&op.Sub[i]); err != nil {
			return err
		}
	}
	if !m.checked {
		return nil
	}
	if op.Found {
		return compare(op.Key, op.Read)
	}
	for i := range op.Entries {
		if err := compare(op.Entries[i].Key, op.Entries[i].Value); err != nil {
			return err
		}
	}
	return nil
}

func compare(key, value []byte) error {
	if err := dist.Unsealed(value, key); err != nil {
		return &drivers.Error{Class: drivers.Corrupt, Err: fmt.Errorf("key %.40q: %w", key, err)}
	}
	return nil
}

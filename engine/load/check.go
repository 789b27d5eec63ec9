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
	for i, sub := range m.sub {
		if err := sub.check(&op.Sub[i]); err != nil {
			return err
		}
	}
	if !m.checked || !op.Found {
		return nil
	}
	if err := dist.Unsealed(op.Read, op.Key); err != nil {
		return &drivers.Error{Class: drivers.Corrupt, Err: fmt.Errorf("key %.40q: %w", op.Key, err)}
	}
	return nil
}

package load

import (
	"fmt"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/dist"
	"github.com/kvscen/kvscen/internal/plan"
)

// source is what all clients of a step share to make requests: which operation
// request n is, and where each set of keys stands.
type source struct {
	phase  *plan.Phase
	seed   uint64
	states []*KeyState
	mix    *dist.Interleave
	bases  map[*plan.Op]uint64 // first sequential draw of each operation that draws in sequence
	follow map[int]bool        // sets of keys whose watermark is followed in this phase
}

func newSource(phase *plan.Phase, seed uint64, states []*KeyState) (*source, error) {
	weights := make([]float64, len(phase.Ops))
	for i := range phase.Ops {
		weights[i] = phase.Ops[i].Weight
	}
	mix, err := dist.NewInterleave(dist.NewStream(seed, phase.Name, "mix"), weights)
	if err != nil {
		return nil, fmt.Errorf("phase %s: mixing its operations: %w", phase.Name, err)
	}
	return &source{phase: phase, seed: seed, states: states, mix: mix,
		bases: map[*plan.Op]uint64{}, follow: followed(phase.Ops)}, nil
}

// followed finds the sets of keys that a phase both inserts into in sequence and
// draws from by what is inserted.
func followed(ops []plan.Op) map[int]bool {
	inserts, draws := map[int]bool{}, map[int]bool{}
	each(ops, func(op *plan.Op) {
		switch {
		case op.Draw.Order == plan.OrderSequential && writes(op):
			inserts[op.Draw.Keys] = true
		case followsInserts(op.Draw.Order):
			draws[op.Draw.Keys] = true
		}
	})
	for k := range inserts {
		inserts[k] = draws[k]
	}
	return inserts
}

func followsInserts(order string) bool {
	return order == plan.OrderLatest || order == plan.OrderZipfian
}

func writes(op *plan.Op) bool {
	return op.Kind == drivers.Put.String() || op.Kind == drivers.CAS.String()
}

// each visits the operations that draw keys, those within transactions too.
func each(ops []plan.Op, visit func(*plan.Op)) {
	for i := range ops {
		if len(ops[i].Ops) > 0 {
			each(ops[i].Ops, visit)
			continue
		}
		visit(&ops[i])
	}
}

// eachOf is each, with the operation of the phase that the visited one is in.
func (s *source) eachOf(visit func(top int, op *plan.Op)) {
	for top := range s.phase.Ops {
		each(s.phase.Ops[top:top+1], func(op *plan.Op) { visit(top, op) })
	}
}

// specs are the operations as a driver's client is bound to them.
func specs(ops []plan.Op) ([]drivers.OpSpec, error) {
	list := make([]drivers.OpSpec, len(ops))
	for i := range ops {
		op := &ops[i]
		kind, ok := drivers.KindOf(op.Kind)
		if !ok {
			return nil, fmt.Errorf("no operation is called %q", op.Kind)
		}
		sub, err := specs(op.Ops)
		if err != nil {
			return nil, err
		}
		list[i] = drivers.OpSpec{Kind: kind, Consistency: op.Consistency, Limit: op.Limit, TTL: op.TTL, Absent: op.Absent, KeysOnly: op.KeysOnly, Keep: op.Checksum, Ops: sub}
	}
	return list, nil
}

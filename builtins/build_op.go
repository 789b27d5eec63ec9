package builtins

import (
	"fmt"
	"strings"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/plan"
)

// op resolves an operation for a store. Where spec is nil the store is unknown,
// which has been said already.
func (b *builder) op(o *Op, weight float64, label string, spec *drivers.Spec) plan.Op {
	b.seen(&o.object)
	out := o.unresolved()
	out.Weight = weight
	if o.draw != nil {
		out.Draw = o.draw.plan
		out.Draw.Keys = b.keysIndex(o.draw.keys)
	}
	for _, sub := range o.ops {
		out.Ops = append(out.Ops, b.op(sub, 0, label, spec))
	}
	if spec == nil {
		return out
	}
	info := spec.Op(o.kind)
	if info == nil {
		b.problem(&o.object, "", "%s can't do it; it can: %s", spec.Name, strings.Join(kinds(spec), ", "))
		return out
	}
	b.consistency(o, &out, spec, info)
	if o.limit > 0 && !info.Limit {
		b.problem(&o.object, "limit", "limit: %s knows no limit for %s", spec.Name, o.kind)
	}
	if o.ttl > 0 && !info.TTL {
		b.problem(&o.object, "ttl", "ttl: %s knows no time to live for %s", spec.Name, o.kind)
	}
	if o.keysOnly && !info.KeysOnly {
		b.problem(&o.object, "keys_only", "keys_only: %s reads no keys without their values", spec.Name)
	}
	if o.checksum && o.kind == drivers.Scan && !info.Entries {
		b.problem(&o.object, "checksum", "checksum: %s does not hand out the values of a scan, which would have to be compared", spec.Name)
	}
	b.sizes(o, spec)
	return out
}

func (b *builder) consistency(o *Op, out *plan.Op, spec *drivers.Spec, info *drivers.OpInfo) {
	resolved, ok := info.Resolve(o.consistency)
	if !ok {
		names := consistencies(info)
		if len(names) == 0 {
			b.problem(&o.object, "consistency", "consistency: %s gives no choice for %s", spec.Name, o.kind)
			return
		}
		b.problem(&o.object, "consistency", "consistency: %s has no %q for %s; it has: %s%s",
			spec.Name, o.consistency, o.kind, strings.Join(names, ", "), plan.DidYouMean(o.consistency, names))
		return
	}
	out.Consistency = resolved
	out.RPCs = spec.Describe(bound(o, out))
	if o.consistency != resolved {
		out.Asked = o.consistency
	}
}

// bound is a resolved operation as a driver's client is bound to it.
func bound(o *Op, out *plan.Op) drivers.OpSpec {
	s := drivers.OpSpec{Kind: o.kind, Consistency: out.Consistency, Limit: out.Limit, TTL: out.TTL, Absent: out.Absent, KeysOnly: out.KeysOnly, Keep: out.Checksum}
	for i, sub := range o.ops {
		s.Ops = append(s.Ops, bound(sub, &out.Ops[i]))
	}
	return s
}

// sizes compares keys, values and transactions with the store's limits.
func (b *builder) sizes(o *Op, spec *drivers.Spec) {
	limits := spec.Limits
	if o.draw != nil {
		if size := int64(o.draw.keys.plan.Bytes()); limits.Key > 0 && size > limits.Key {
			b.problem(&o.draw.keys.object, "size", "size: keys of %d bytes are above the limit of %s, %d bytes", size, spec.Name, limits.Key)
		}
	}
	if o.value != nil && limits.Value > 0 {
		if size := int64(o.value.plan.Size.Max()); size > limits.Value {
			b.problem(&o.value.object, "size", "size: values of %d bytes are above the limit of %s, %d bytes", size, spec.Name, limits.Value)
		}
	}
	if n := int64(len(o.ops)); limits.Txn > 0 && n > limits.Txn {
		b.problem(&o.object, "ops", "ops: %d operations are above the limit of %s, %d", n, spec.Name, limits.Txn)
	}
}

func kinds(spec *drivers.Spec) []string {
	var names []string
	for _, o := range spec.Ops {
		names = append(names, o.Kind.String())
	}
	return names
}

// consistencies lists the store's own names, and strong and weak where they
// mean something.
func consistencies(info *drivers.OpInfo) []string {
	var names, short []string
	for _, c := range info.Consistencies {
		names = append(names, c.Name)
		if c.Strong {
			short = append(short, fmt.Sprintf("strong (%s)", c.Name))
		}
		if c.Weak {
			short = append(short, fmt.Sprintf("weak (%s)", c.Name))
		}
	}
	return append(names, short...)
}

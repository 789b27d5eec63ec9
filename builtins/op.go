package builtins

import (
	"time"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/plan"
)

// Op is one operation. What it becomes depends on the store, which Build looks
// up.
type Op struct {
	object
	kind        drivers.Kind
	draw        *Draw  // nil: a transaction
	value       *Value // put, cas
	consistency string
	limit       int
	ttl         time.Duration
	absent      bool
	keysOnly    bool
	checksum    bool  // get, scan
	ops         []*Op // txn
}

// Attr reads a field.
func (o *Op) Attr(name string) (starlark.Value, error) { return o.attr(o, name) }

// opWithKeys makes an operation that takes keys first.
func (c *call) opWithKeys(kind drivers.Kind) *Op {
	o := &Op{kind: kind, draw: c.keysArg("keys")}
	return o
}

// finish takes the arguments as fields, when all have been read.
func (c *call) finish(o *Op) (starlark.Value, error) {
	o.object = c.object()
	return o, nil
}

// keysArg reads an order of keys.
func (c *call) keysArg(name string) *Draw {
	switch v := c.arg(name).(type) {
	case *Draw:
		return v
	case *Keys:
		c.fail(name, "say in which order the keys are taken: .sequential(), .uniform(), .zipfian(), .latest(), .hotspot() or .one()")
	default:
		c.fail(name, "want keys in some order, as keys(...).sequential(), got %s", describeArg(v))
	}
	return nil
}

func (c *call) valueArg(name string) *Value {
	v := one[*Value](c, name, "a value(size)")
	if v == nil {
		c.fail(name, "want a value(size)")
	}
	return v
}

func (c *call) limitArg(name string) int {
	if c.arg(name) == nil {
		return 0
	}
	return int(c.count(name))
}

func (c *call) ttlArg(name string) time.Duration {
	if c.arg(name) == nil {
		return 0
	}
	d := c.duration(name, 0)
	if d <= 0 {
		c.fail(name, "must be above zero, got %v", d)
	}
	return d
}

func describeArg(v starlark.Value) string {
	if v == nil {
		return "None"
	}
	return describe(v)
}

// unresolved is the part of the operation that is the same in every store.
func (o *Op) unresolved() plan.Op {
	p := plan.Op{Kind: o.kind.String(), Limit: o.limit, TTL: o.ttl, Absent: o.absent, KeysOnly: o.keysOnly, Checksum: o.checksum, Pos: o.site.pos}
	if o.value != nil {
		v := o.value.plan
		p.Value = &v
	}
	return p
}

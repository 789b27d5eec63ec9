package builtins

import (
	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/drivers"
)

func txnBuiltin() builtin {
	return builtin{
		signature: "txn(ops)",
		doc:       "Carry out several operations in one atomic step.",
		make:      makeTxn,
		defers:    true,
	}
}

func makeTxn(c *call) (starlark.Value, error) {
	o := &Op{kind: drivers.Txn, ops: all[*Op](c, "ops", "an operation")}
	if len(o.ops) == 0 {
		c.fail("ops", "a transaction needs at least one operation")
	}
	for i, sub := range o.ops {
		if sub != nil && sub.kind == drivers.Txn {
			c.fail("ops", "element %d: a transaction can't hold another one", i)
		}
	}
	return c.finish(o)
}

package builtins

import (
	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/drivers"
)

func casBuiltin() builtin {
	return builtin{
		signature: "cas(keys, value, absent=False, consistency=None)",
		doc:       "Read each key drawn and write a fresh value if nobody has changed it meanwhile; with absent, create it if it does not exist.",
		make:      makeCAS,
		defers:    true,
	}
}

func makeCAS(c *call) (starlark.Value, error) {
	o := c.opWithKeys(drivers.CAS)
	o.value = c.valueArg("value")
	o.absent = c.boolean("absent", false)
	o.consistency = c.str("consistency", "")
	return c.finish(o)
}

package builtins

import (
	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/drivers"
)

func putBuiltin() builtin {
	return builtin{
		signature: "put(keys, value, consistency=None, ttl=None)",
		doc:       "Write a fresh value at each key drawn; ttl is how long the key lives.",
		make:      makePut,
		defers:    true,
	}
}

func makePut(c *call) (starlark.Value, error) {
	o := c.opWithKeys(drivers.Put)
	o.value = c.valueArg("value")
	o.consistency = c.str("consistency", "")
	o.ttl = c.ttlArg("ttl")
	return c.finish(o)
}

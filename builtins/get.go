package builtins

import (
	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/drivers"
)

func getBuiltin() builtin {
	return builtin{
		signature: "get(keys, consistency=None)",
		doc:       `Read the value at each key drawn; consistency is the store's own name, or "strong" or "weak".`,
		make:      makeGet,
		defers:    true,
	}
}

func makeGet(c *call) (starlark.Value, error) {
	o := c.opWithKeys(drivers.Get)
	o.consistency = c.str("consistency", "")
	return c.finish(o)
}

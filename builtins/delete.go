package builtins

import (
	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/drivers"
)

func deleteBuiltin() builtin {
	return builtin{
		signature: "delete(keys, consistency=None)",
		doc:       "Remove each key drawn.",
		make:      makeDelete,
		defers:    true,
	}
}

func makeDelete(c *call) (starlark.Value, error) {
	o := c.opWithKeys(drivers.Delete)
	o.consistency = c.str("consistency", "")
	return c.finish(o)
}

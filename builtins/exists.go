package builtins

import (
	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/drivers"
)

func existsBuiltin() builtin {
	return builtin{
		signature: "exists(keys, consistency=None)",
		doc:       `Look whether each key drawn is there, without reading its value; found counts those that are.`,
		make:      makeExists,
		defers:    true,
	}
}

func makeExists(c *call) (starlark.Value, error) {
	o := c.opWithKeys(drivers.Exists)
	o.consistency = c.str("consistency", "")
	return c.finish(o)
}

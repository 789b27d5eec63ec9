package builtins

import (
	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/drivers"
)

func listChildrenBuiltin() builtin {
	return builtin{
		signature: "list_children(keys, limit=None, consistency=None)",
		doc:       "Read the names one level below the parent of the keys, or at the top where they have none.",
		make:      makeListChildren,
		defers:    true,
	}
}

func makeListChildren(c *call) (starlark.Value, error) {
	o := c.opWithKeys(drivers.ListChildren)
	o.limit = c.limitArg("limit")
	o.consistency = c.str("consistency", "")
	return c.finish(o)
}

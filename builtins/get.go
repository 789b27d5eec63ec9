package builtins

import (
	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/drivers"
)

func getBuiltin() builtin {
	return builtin{
		signature: "get(keys, consistency=None, checksum=False)",
		doc:       `Read the value at each key drawn; consistency is the store's own name, or "strong" or "weak". With checksum, each value read must be whole and of its key, as value(size, checksum = True) writes them: another one fails its request, as corrupt. The latency ends before that is computed; throughput has the client's time for it in it.`,
		make:      makeGet,
		defers:    true,
	}
}

func makeGet(c *call) (starlark.Value, error) {
	o := c.opWithKeys(drivers.Get)
	o.consistency = c.str("consistency", "")
	o.checksum = c.boolean("checksum", false)
	return c.finish(o)
}

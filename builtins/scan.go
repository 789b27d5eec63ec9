package builtins

import (
	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/drivers"
)

func scanBuiltin() builtin {
	return builtin{
		signature: "scan(keys, limit=None, keys_only=False, consistency=None, checksum=False)",
		doc:       "Read up to limit keys and values, from each key drawn on; with keys_only, keys without their values; with checksum, each value is compared as get does it.",
		make:      makeScan,
		defers:    true,
	}
}

func makeScan(c *call) (starlark.Value, error) {
	o := c.opWithKeys(drivers.Scan)
	o.limit = c.limitArg("limit")
	o.keysOnly = c.boolean("keys_only", false)
	o.consistency = c.str("consistency", "")
	if o.checksum = c.boolean("checksum", false); o.checksum && o.keysOnly {
		c.fail("checksum", "keys alone carry none: leave keys_only out")
	}
	return c.finish(o)
}

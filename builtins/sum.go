package builtins

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

func sumBuiltin() builtin {
	return builtin{signature: "sum(values)", doc: "The sum of numbers or of durations; 0 of none.", make: makeSum}
}

func makeSum(c *call) (starlark.Value, error) {
	var total starlark.Value
	it := starlark.Iterate(c.arg("values"))
	if it == nil {
		c.fail("values", "want a list of numbers or durations, got %s", describeArg(c.arg("values")))
		return nil, nil
	}
	defer it.Done()
	var v starlark.Value
	for n := 0; it.Next(&v); n++ {
		if n == maxElements {
			c.fail("values", "there are more than %d", maxElements)
			return nil, nil
		}
		if total == nil {
			total = v
			continue
		}
		sum, err := starlark.Binary(syntax.PLUS, total, v)
		if err != nil {
			c.fail("values", "%v", err)
			return nil, nil
		}
		total = sum
	}
	if total == nil {
		total = starlark.MakeInt(0)
	}
	return total, nil
}

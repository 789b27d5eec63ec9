package builtins

import (
	"go.starlark.net/starlark"
)

// Mix is operations with weights that add up to 1.
type Mix struct {
	object
	ops     []*Op
	weights []float64
}

func mixBuiltin() builtin {
	return builtin{
		signature: "mix(ops)",
		doc:       "Operations drawn by weight: mix([(95, get(...)), (5, put(...))]).",
		make:      makeMix,
		defers:    true,
	}
}

func makeMix(c *call) (starlark.Value, error) {
	m := &Mix{}
	total := 0.0
	for i, v := range c.list("ops") {
		pair, ok := elements(v)
		if !ok || len(pair) != 2 {
			c.fail("ops", "element %d: want (weight, operation), got %s", i, describe(v))
			return nil, nil
		}
		w, err := realNumber(pair[0])
		if err != nil {
			c.fail("ops", "element %d: weight: %v", i, err)
		}
		if w < 0 {
			c.fail("ops", "element %d: the weight must not be negative, got %v", i, w)
		}
		op, ok := pair[1].(*Op)
		if !ok {
			c.fail("ops", "element %d: want an operation, got %s", i, describe(pair[1]))
		}
		total += w
		if w > 0 { // a weight of nothing is an operation that never comes
			m.ops, m.weights = append(m.ops, op), append(m.weights, w)
		}
	}
	if total <= 0 {
		c.fail("ops", "the weights add up to nothing")
	}
	for i := range m.weights {
		m.weights[i] /= total
	}
	m.object = c.object()
	return m, nil
}

// Attr reads a field.
func (m *Mix) Attr(name string) (starlark.Value, error) { return m.attr(m, name) }

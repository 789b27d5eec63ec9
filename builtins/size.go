package builtins

import (
	"cmp"
	"slices"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

// Size is a distribution of sizes in bytes.
type Size struct {
	object
	plan plan.Size
}

// Attr reads a field.
func (s *Size) Attr(name string) (starlark.Value, error) { return s.attr(s, name) }

func uniformBuiltin() builtin {
	return builtin{signature: "uniform(a, b)", doc: "Sizes from a to b bytes, each equally likely.", make: makeUniformSize, defers: true}
}

func makeUniformSize(c *call) (starlark.Value, error) {
	a, b := c.sizeBytes("a"), c.sizeBytes("b")
	if b < a {
		c.fail("b", "must not be below a: %v < %v", b, a)
	}
	return &Size{object: c.object(), plan: plan.Size{Kind: "uniform", A: a, B: b}}, nil
}

func normalBuiltin() builtin {
	return builtin{signature: "normal(mean, stddev)", doc: "Sizes in bytes by a normal distribution, never below 0.", make: makeNormalSize, defers: true}
}

func makeNormalSize(c *call) (starlark.Value, error) {
	mean, stddev := c.sizeBytes("mean"), c.sizeBytes("stddev")
	return &Size{object: c.object(), plan: plan.Size{Kind: "normal", A: mean, B: stddev}}, nil
}

func histogramBuiltin() builtin {
	return builtin{signature: "histogram(weights)", doc: "Sizes in bytes, each with its weight: histogram({100: 9, 1 * KiB: 1}).", make: makeHistogramSize, defers: true}
}

func makeHistogramSize(c *call) (starlark.Value, error) {
	type bin struct {
		size   int64
		weight float64
	}
	var bins []bin
	total := 0.0
	d := one[*starlark.Dict](c, "weights", "a dict from size to weight")
	if d == nil {
		c.fail("weights", "want a dict from size to weight")
		return nil, nil
	}
	for _, item := range d.Items() {
		size, err1 := wholeNumber(item[0])
		weight, err2 := realNumber(item[1])
		if err1 != nil || err2 != nil || size < 0 || weight < 0 {
			c.fail("weights", "want sizes and weights that are not negative, got %s: %s", item[0], item[1])
			return nil, nil
		}
		bins = append(bins, bin{size, weight})
		total += weight
	}
	if total <= 0 {
		c.fail("weights", "the weights add up to nothing")
		return nil, nil
	}
	slices.SortFunc(bins, func(a, b bin) int { return cmp.Compare(a.size, b.size) })
	s := plan.Size{Kind: "histogram"}
	for _, b := range bins {
		s.Sizes = append(s.Sizes, int(b.size))
		s.Weights = append(s.Weights, b.weight/total)
	}
	return &Size{object: c.object(), plan: s}, nil
}

func (c *call) sizeBytes(name string) float64 {
	f := c.number(name, 0)
	if f < 0 {
		c.fail(name, "must not be negative, got %v", f)
	}
	return f
}

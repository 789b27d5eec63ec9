package builtins

import (
	"go.starlark.net/starlark"
)

// Parallel is phases that run at the same time.
type Parallel struct {
	object
	phases []*Phase
}

func parallelBuiltin() builtin {
	return builtin{
		signature: "parallel(phases)",
		doc:       "Phases that start together, when all are connected, and end when those that are not background have.",
		make:      makeParallel,
		defers:    true,
	}
}

func makeParallel(c *call) (starlark.Value, error) {
	p := &Parallel{phases: all[*Phase](c, "phases", "a phase")}
	if len(p.phases) == 0 {
		c.fail("phases", "want at least one phase")
	}
	p.object = c.object()
	return p, nil
}

// Attr reads a field.
func (p *Parallel) Attr(name string) (starlark.Value, error) { return p.attr(p, name) }

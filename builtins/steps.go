package builtins

import (
	"go.starlark.net/starlark"
)

// Steps is one load level after the other.
type Steps struct {
	object
	levels []starlark.Value
	each   extent
}

func stepsBuiltin() builtin {
	return builtin{
		signature: "steps(levels, each=None)",
		doc:       "One step for each level of clients= or rate=; each is the length of a step, a duration or a number of requests. Without it, a phase's requests are shared out evenly.",
		make:      makeSteps,
		defers:    true,
	}
}

func makeSteps(c *call) (starlark.Value, error) {
	s := &Steps{levels: c.list("levels"), each: c.extent("each")}
	if len(s.levels) == 0 {
		c.fail("levels", "want at least one level")
	}
	s.object = c.object()
	return s, nil
}

// Attr reads a field.
func (s *Steps) Attr(name string) (starlark.Value, error) { return s.attr(s, name) }

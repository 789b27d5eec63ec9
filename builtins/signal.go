package builtins

import (
	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

// Signal is how a process is asked to end.
type Signal struct {
	object
	plan plan.Stop
}

func signalBuiltin() builtin {
	return builtin{
		signature: "signal(name, grace=5*second)",
		doc:       "How a process is asked to end; KILL follows after grace.",
		make:      makeSignal,
	}
}

var signals = [...]string{"TERM", "INT", "QUIT", "HUP", "KILL"}

func makeSignal(c *call) (starlark.Value, error) {
	s := &Signal{plan: plan.Stop{Signal: c.str("name", ""), Grace: c.duration("grace", defaultGrace)}}
	c.oneOf("name", s.plan.Signal, signals[:])
	if s.plan.Grace < 0 {
		c.fail("grace", "must not be negative, got %v", s.plan.Grace)
	}
	s.object = c.object()
	return s, nil
}

// Attr reads a field.
func (s *Signal) Attr(name string) (starlark.Value, error) { return s.attr(s, name) }

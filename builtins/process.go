package builtins

import (
	"time"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

// Process is one program of a node.
type Process struct {
	object
	plan plan.Process
}

func processBuiltin() builtin {
	return builtin{
		signature: `process(name, argv, env={}, files={}, ready=None, stop=signal("TERM"), after=[])`,
		doc:       "A program: argv as a list, files as {path: text} (relative to the node's folder), ready as a probe, after as the processes that must be ready before.",
		make:      makeProcess,
	}
}

const defaultGrace = 5 * time.Second

func makeProcess(c *call) (starlark.Value, error) {
	p := &Process{plan: plan.Process{
		Name:  c.str("name", ""),
		Argv:  c.strs("argv"),
		Env:   c.texts("env"),
		Files: c.texts("files"),
		Stop:  plan.Stop{Signal: "TERM", Grace: defaultGrace},
		After: c.strs("after"),
		Pos:   c.site.pos,
	}}
	if len(p.plan.Argv) == 0 {
		c.fail("argv", "want a program and its arguments, as a list")
	}
	if r := one[*Ready](c, "ready", "tcp_ready(), http_ready(), log_ready() or exec_ready()"); r != nil {
		probe := r.plan
		p.plan.Ready = &probe
	}
	if s := one[*Signal](c, "stop", `signal("TERM")`); s != nil {
		p.plan.Stop = s.plan
	}
	p.object = c.object()
	return p, nil
}

// Attr reads a field.
func (p *Process) Attr(name string) (starlark.Value, error) { return p.attr(p, name) }

package builtins

import (
	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

// Host is a machine that a node runs on.
type Host struct {
	object
	plan plan.Host
}

func hostBuiltin() builtin {
	return builtin{
		signature: "host(addr, user=None, port=22, key=None, ip=None, dir=None, sudo=False)",
		doc:       "A machine reached over SSH; ip is its address among members, dir where data goes.",
		make:      makeHost,
	}
}

func makeHost(c *call) (starlark.Value, error) {
	h := &Host{plan: plan.Host{
		Addr: c.str("addr", ""),
		User: c.str("user", ""),
		Port: int(c.integer("port", 22)),
		Key:  c.str("key", ""),
		IP:   c.str("ip", ""),
		Dir:  c.str("dir", ""),
		Sudo: c.boolean("sudo", false),
		Pos:  c.site.pos,
	}}
	if h.plan.Port < 1 || h.plan.Port > 65535 {
		c.fail("port", "must lie between 1 and 65535, got %d", h.plan.Port)
	}
	if h.plan.Addr == "" {
		c.fail("addr", "must not be empty")
	}
	h.object = c.object()
	return h, nil
}

// Attr reads a field.
func (h *Host) Attr(name string) (starlark.Value, error) { return h.attr(h, name) }

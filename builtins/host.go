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
		signature: "host(addr, user=None, port=None, key=None, ip=None, dir=None, sudo=False, upload=True)",
		doc:       "A machine reached over SSH, as ssh_config knows it. ip is its address among members and for clients, dir the folder below which all goes (default .kvscen of the home folder). upload copies kvscen itself there: members that are part of it, and the guard that ends them when kvscen is gone; without it a shell does that, as well as it can.",
		make:      makeHost,
	}
}

func makeHost(c *call) (starlark.Value, error) {
	given := c.arg("port") != nil
	h := &Host{plan: plan.Host{
		Addr:   c.str("addr", ""),
		User:   c.str("user", ""),
		Port:   int(c.integer("port", 0)),
		Key:    c.str("key", ""),
		IP:     c.str("ip", ""),
		Dir:    c.str("dir", ""),
		Sudo:   c.boolean("sudo", false),
		Upload: c.boolean("upload", true),
		Pos:    c.site.pos,
	}}
	if given && (h.plan.Port < 1 || h.plan.Port > 65535) {
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

package builtins

import (
	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

// Requires is what a recipe needs on a machine. A file of the library gives its
// own as the global needs.
type Requires struct {
	object
	plan plan.Requires
}

func requiresBuiltin() builtin {
	return builtin{
		signature: `requires(driver=None, options={}, embedded=False, module=None, programs=[], files=[], arguments=[], version=[], debian=None, macos=None, elsewhere=None)`,
		doc: "What the members of a recipe need: programs by name, files by pattern, arguments by which a program is given, and how to install them. " +
			"embedded says that kvscen can serve a member itself, module whose version that is; version is a command that prints the program's. A recipe in the library gives it as the global needs, for kvscen stores, doctor and the checks before a run.",
		make: makeRequires,
	}
}

func makeRequires(c *call) (starlark.Value, error) {
	r := &Requires{plan: plan.Requires{
		Driver:    c.str("driver", ""),
		Options:   c.options("options"),
		Embedded:  c.boolean("embedded", false),
		Module:    c.str("module", ""),
		Programs:  c.strs("programs"),
		Files:     c.strs("files"),
		Arguments: c.strs("arguments"),
		Version:   c.strs("version"),
		Debian:    c.str("debian", ""),
		MacOS:     c.str("macos", ""),
		Elsewhere: c.str("elsewhere", ""),
	}}
	if len(r.plan.Programs)+len(r.plan.Files)+len(r.plan.Arguments) > 0 && r.plan.Elsewhere == "" {
		c.fail("elsewhere", "say where to get what is needed")
	}
	r.object = c.object()
	return r, nil
}

// Plan is what is needed, as plain data.
func (r *Requires) Plan() plan.Requires { return r.plan }

// Attr reads a field.
func (r *Requires) Attr(name string) (starlark.Value, error) { return r.attr(r, name) }

package builtins

import (
	"go.starlark.net/starlark"
)

// Report is a function that makes tables of the result.
type Report struct{ afterwards }

func reportBuiltin() builtin {
	return builtin{
		signature: "report(name, fn)",
		doc:       "Tables of one's own: fn is called with the result after the run and returns a table(...), a text, or a list of them, which are printed and kept in the result.",
		make:      makeReport,
	}
}

func makeReport(c *call) (starlark.Value, error) {
	r := &Report{c.afterwards()}
	if r.name == "" {
		c.fail("name", "want a text that the tables are headed by")
	}
	return r, nil
}

// Attr reads a field.
func (r *Report) Attr(name string) (starlark.Value, error) { return r.attr(r, name) }

package builtins

import (
	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

// Marker counts log lines.
type Marker struct {
	object
	plan plan.Marker
}

func markerBuiltin() builtin {
	return builtin{
		signature: "marker(regexp, label)",
		doc:       "Counts the lines of members' logs that match, under the label.",
		make:      makeMarker,
	}
}

func makeMarker(c *call) (starlark.Value, error) {
	m := &Marker{plan: plan.Marker{Regexp: c.pattern("regexp"), Label: c.str("label", ""), Pos: c.site.pos}}
	if m.plan.Regexp == "" {
		c.fail("regexp", "an empty expression would match every line")
	}
	m.object = c.object()
	return m, nil
}

// Attr reads a field.
func (m *Marker) Attr(name string) (starlark.Value, error) { return m.attr(m, name) }

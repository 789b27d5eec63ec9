package builtins

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

// Member is a node as its own functions see it: what only set-up will know is
// a reference.
type Member struct {
	name    string
	index   int
	members starlark.Tuple
}

func (m *Member) String() string        { return "member(" + m.name + ")" }
func (m *Member) Type() string          { return "member" }
func (m *Member) Freeze()               {}
func (m *Member) Truth() starlark.Bool  { return true }
func (m *Member) Hash() (uint32, error) { return starlark.String(m.name).Hash() }

var memberFields = [...]string{"dir", "index", "ip", "members", "name", "port"}

// AttrNames lists the fields.
func (m *Member) AttrNames() []string { return memberFields[:] }

// Attr reads a field.
func (m *Member) Attr(name string) (starlark.Value, error) {
	switch name {
	case "name":
		return starlark.String(m.name), nil
	case "index":
		return starlark.MakeInt(m.index), nil
	case "ip", "dir":
		return Ref{plan.Token(m.name + "." + name)}, nil
	case "port":
		return m.port().value(m), nil
	case "members":
		return m.members, nil
	}
	return nil, starlark.NoSuchAttrError(fmt.Sprintf("a member has no field .%s%s", name, plan.DidYouMean(name, memberFields[:])))
}

func (m *Member) port() builtin {
	return builtin{signature: "port(name)", doc: "A free port of the member, the same for the same name.", make: func(c *call) (starlark.Value, error) {
		name := c.str("name", "")
		if !namePattern.MatchString(name) {
			c.fail("name", "may hold letters, digits, dots, dashes and underscores, got %q", name)
		}
		return Ref{plan.Token(m.name + ".port." + name)}, nil
	}}
}

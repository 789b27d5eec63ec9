package builtins

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

// An object is the part that all values of the vocabulary share: they are
// immutable, and their fields read as the arguments they were made of.
type object struct {
	kind    string
	fields  []field
	methods []builtin
	site    site
	origin  *deferred // what it was resolved from; nil: it was made directly
}

type field struct {
	name  string
	value starlark.Value
}

// object takes the arguments of the call as fields.
func (c *call) object() object {
	o := object{kind: c.fn.name(), methods: c.fn.methods, site: c.site}
	for i, p := range c.params {
		v := c.values[i]
		if v == nil {
			v = starlark.None
		}
		o.fields = append(o.fields, field{p.name, v})
	}
	return o
}

func (o *object) Type() string          { return o.kind }
func (o *object) Freeze()               {} // immutable from the start
func (o *object) Truth() starlark.Bool  { return true }
func (o *object) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: %s", o.kind) }

// String prints the call that would make the value again, without what was
// left out.
func (o *object) String() string {
	var b strings.Builder
	b.WriteString(o.kind + "(")
	sep := ""
	for _, f := range o.fields {
		if f.value == starlark.None {
			continue
		}
		fmt.Fprintf(&b, "%s%s=%s", sep, f.name, f.value)
		sep = ", "
	}
	return b.String() + ")"
}

// attr reads a field, or binds a method to self.
func (o *object) attr(self starlark.Value, name string) (starlark.Value, error) {
	for _, f := range o.fields {
		if f.name == name {
			return f.value, nil
		}
	}
	for _, m := range o.methods {
		if m.name() == name {
			return m.value(self), nil
		}
	}
	return nil, starlark.NoSuchAttrError(fmt.Sprintf("%s has no field .%s%s", o.kind, name, plan.DidYouMean(name, o.AttrNames())))
}

// AttrNames lists fields and methods.
func (o *object) AttrNames() []string {
	var names []string
	for _, f := range o.fields {
		names = append(names, f.name)
	}
	for _, m := range o.methods {
		names = append(names, m.name())
	}
	slices.Sort(names)
	return names
}

// made is the object itself, for who holds the value by an interface.
func (o *object) made() *object { return o }

package builtins

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

// A deferred value is a call whose arguments hold a per_cluster choice. It is
// carried out once for each cluster when the plan is built; until then it
// passes for a value of its kind.
type deferred struct{ call *call }

func (d *deferred) String() string        { return d.Type() + "(...)" }
func (d *deferred) Type() string          { return d.call.fn.name() }
func (d *deferred) Freeze()               {}
func (d *deferred) Truth() starlark.Bool  { return true }
func (d *deferred) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: %s", d.Type()) }

// Attr binds methods. Fields can't be read: they differ by cluster.
func (d *deferred) Attr(name string) (starlark.Value, error) {
	for _, m := range d.call.fn.methods {
		if m.name() == name {
			return m.value(d), nil
		}
	}
	if slices.ContainsFunc(d.call.params, func(p param) bool { return p.name == name }) {
		return nil, fmt.Errorf("%s.%s can't be read here, it differs from cluster to cluster", d.Type(), name)
	}
	return nil, starlark.NoSuchAttrError(fmt.Sprintf("%s has no field .%s%s", d.Type(), name, plan.DidYouMean(name, d.AttrNames())))
}

// AttrNames lists the methods.
func (d *deferred) AttrNames() []string {
	var names []string
	for _, m := range d.call.fn.methods {
		names = append(names, m.name())
	}
	slices.Sort(names)
	return names
}

// hasChoice reports whether a per_cluster choice stands anywhere in v, which
// frozenCopy has bounded in depth.
func hasChoice(v starlark.Value) bool {
	switch v := v.(type) {
	case *PerCluster, *deferred:
		return true
	case *starlark.List, starlark.Tuple:
		elems, _ := elements(v)
		return slices.ContainsFunc(elems, hasChoice)
	case *starlark.Dict:
		return slices.ContainsFunc(v.Items(), func(item starlark.Tuple) bool { return hasChoice(item[1]) })
	}
	return false
}

// A resolver replaces the choices in values by those for one cluster. A
// deferred value is made once, so that keys keep their identity.
type resolver struct {
	label, driver string
	made          map[*deferred]starlark.Value
}

func (r *resolver) resolve(v starlark.Value) (starlark.Value, error) {
	if !hasChoice(v) {
		return v, nil
	}
	switch v := v.(type) {
	case *PerCluster:
		choice, err := v.choose(r.label, r.driver)
		if err != nil {
			return nil, err
		}
		return r.resolve(choice)
	case *deferred:
		return r.carryOut(v)
	}
	return mapElements(v, r.resolve)
}

func (r *resolver) carryOut(d *deferred) (starlark.Value, error) {
	if v, ok := r.made[d]; ok {
		return v, nil
	}
	c := *d.call
	c.values = slices.Clone(c.values)
	var err error
	for i, v := range c.values {
		if c.values[i], err = r.resolve(v); err != nil {
			return nil, err
		}
	}
	if c.recv, err = r.resolve(c.recv); err != nil {
		return nil, err
	}
	v, err := c.run()
	if err != nil {
		return nil, err
	}
	if o, ok := v.(interface{ made() *object }); ok {
		o.made().origin = d
	}
	r.made[d] = v
	return v, nil
}

package builtins

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

// Stores is the mapping from the names of recipes to their functions. A recipe
// is loaded when it is called.
func Stores(names []string, load func(thread *starlark.Thread, name string) (starlark.Value, error)) starlark.Value {
	names = slices.Sorted(slices.Values(names))
	return &storeMap{names: names, load: load}
}

type storeMap struct {
	names []string
	load  func(*starlark.Thread, string) (starlark.Value, error)
}

var (
	_ starlark.Mapping  = (*storeMap)(nil)
	_ starlark.Sequence = (*storeMap)(nil)
)

func (s *storeMap) String() string        { return "stores" }
func (s *storeMap) Type() string          { return "stores" }
func (s *storeMap) Freeze()               {}
func (s *storeMap) Truth() starlark.Bool  { return len(s.names) > 0 }
func (s *storeMap) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: stores") }
func (s *storeMap) Len() int              { return len(s.names) }

// Iterate goes through the names.
func (s *storeMap) Iterate() starlark.Iterator {
	names := make(starlark.Tuple, len(s.names))
	for i, n := range s.names {
		names[i] = starlark.String(n)
	}
	return names.Iterate()
}

// Get finds a recipe.
func (s *storeMap) Get(key starlark.Value) (starlark.Value, bool, error) {
	name, ok := key.(starlark.String)
	if !ok {
		return nil, false, fmt.Errorf("stores: want the name of a store, got %s", describe(key))
	}
	if !slices.Contains(s.names, string(name)) {
		return nil, false, fmt.Errorf("no store %q in this version; there are: %s%s", string(name), strings.Join(s.names, ", "), plan.DidYouMean(string(name), s.names))
	}
	return &recipe{string(name), s.load}, true, nil
}

// A recipe is a function of the standard library that has not been loaded yet.
type recipe struct {
	name string
	load func(*starlark.Thread, string) (starlark.Value, error)
}

var _ starlark.Callable = (*recipe)(nil)

func (r *recipe) Name() string          { return r.name }
func (r *recipe) String() string        { return "<recipe " + r.name + ">" }
func (r *recipe) Type() string          { return "recipe" }
func (r *recipe) Freeze()               {}
func (r *recipe) Truth() starlark.Bool  { return true }
func (r *recipe) Hash() (uint32, error) { return starlark.String(r.name).Hash() }

// CallInternal loads the recipe and calls it.
func (r *recipe) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	fn, err := r.load(thread, r.name)
	if err != nil {
		return nil, fmt.Errorf("loading the recipe of %s: %w", r.name, err)
	}
	return starlark.Call(thread, fn, args, kwargs)
}

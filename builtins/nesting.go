package builtins

import (
	"fmt"
	"iter"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// maxNesting bounds how deeply what a script prints or encodes is nested. The
// interpreter goes down one call a level, and a stack that is full ends the
// process.
const maxNesting = 500

// bounded is the builtin with a look at how deeply its arguments are nested
// before the call.
func bounded(plain *starlark.Builtin) *starlark.Builtin {
	return starlark.NewBuiltin(plain.Name(), func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		levels := nesting{}
		for _, v := range args {
			if _, ok := levels.of(v, 0); !ok {
				return nil, fmt.Errorf("%s: the value is nested more than %d deep, or holds itself", plain.Name(), maxNesting)
			}
		}
		return plain.CallInternal(t, args, kwargs)
	})
}

// universal is one of the interpreter's own builtins, bounded.
func universal(name string) *starlark.Builtin {
	return bounded(starlark.Universe[name].(*starlark.Builtin))
}

// nesting is how many levels there are from each container seen so far on.
type nesting map[any]int

// of counts the levels of v, which itself lies so many levels down. It reports
// false where there are more than maxNesting in all. Each container is gone
// through once, however many hold it.
func (n nesting) of(v starlark.Value, above int) (levels int, ok bool) {
	id, parts := inside(v)
	if id == nil {
		return 0, true
	}
	if known, seen := n[id]; seen {
		return known, above+known <= maxNesting
	}
	if above >= maxNesting {
		return 0, false
	}
	n[id] = maxNesting + 1 // until it is known: met again before, it holds itself
	deepest := 0
	for part := range parts {
		below, ok := n.of(part, above+1)
		if !ok {
			return 0, false
		}
		deepest = max(deepest, below)
	}
	n[id] = deepest + 1
	return deepest + 1, true
}

// span is the identity of a tuple, which may share its elements with a longer
// one.
type span struct {
	first *starlark.Value
	n     int
}

// inside gives the identity of a container and what it holds; nil where v holds
// nothing.
func inside(v starlark.Value) (id any, parts iter.Seq[starlark.Value]) {
	switch v := v.(type) {
	case starlark.Tuple:
		if len(v) > 0 {
			return span{&v[0], len(v)}, slices.Values(v)
		}
	case *starlark.List, *starlark.Set:
		return v, starlark.Elements(v.(starlark.Iterable))
	case *starlark.Dict:
		return v, func(yield func(starlark.Value) bool) {
			for key, value := range v.Entries() {
				if !yield(key) || !yield(value) {
					return
				}
			}
		}
	case *starlarkstruct.Struct:
		return v, func(yield func(starlark.Value) bool) {
			for _, name := range v.AttrNames() {
				if field, err := v.Attr(name); err == nil && !yield(field) {
					return
				}
			}
		}
	}
	return nil, nil
}

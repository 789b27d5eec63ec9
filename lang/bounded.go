package lang

import (
	"fmt"
	"math"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Some builtins take the memory of their whole result in one go, before any
// watch could see it: list(range(1 << 40)), zip of long ranges, and a long
// replacement of each letter. A failed allocation would end the process, so
// these look at the size of the result first, as products do.

const (
	maxRange = 1 << 24 // numbers; no script gets through more within the usual steps
	maxCells = maxProduct / valueSize
)

// replaceName can't be written in a script.
const replaceName = "*replace"

// bounded are the builtins that stand in for those of the interpreter.
func bounded() starlark.StringDict {
	return starlark.StringDict{
		"range":     instead("range", checkRange),
		"zip":       instead("zip", checkZip),
		replaceName: starlark.NewBuiltin(replaceName, measureReplace),
	}
}

// instead is the interpreter's builtin of that name, with a look at the
// arguments before and at the result after the call.
func instead(name string, check func(args starlark.Tuple, result starlark.Value) error) *starlark.Builtin {
	plain := starlark.Universe[name].(*starlark.Builtin)
	return starlark.NewBuiltin(name, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := check(args, nil); err != nil {
			return nil, err
		}
		v, err := plain.CallInternal(t, args, kwargs)
		if err != nil {
			return nil, err
		}
		return v, check(args, v)
	})
}

// checkRange refuses what no loop could go through; a range itself is small.
func checkRange(_ starlark.Tuple, result starlark.Value) error {
	if result == nil {
		return nil
	}
	if n := starlark.Len(result); n > maxRange {
		return fmt.Errorf("range: %d numbers are more than a script can go through (at most %d)", n, maxRange)
	}
	return nil
}

func checkZip(args starlark.Tuple, _ starlark.Value) error {
	rows := math.MaxInt
	for _, a := range args {
		rows = min(rows, starlark.Len(a)) // -1: not known, so zip's result grows step by step
	}
	if len(args) > 0 && rows > maxCells/len(args) {
		return fmt.Errorf("zip: the result is too large: %d times %d values (at most %d)", rows, len(args), maxCells)
	}
	return nil
}

// weighReplace rewrites s.replace(...) to measure(s.replace)(...).
func weighReplace(n *syntax.CallExpr) {
	if dot, ok := n.Fn.(*syntax.DotExpr); ok && dot.Name.Name == "replace" {
		n.Fn = wrapped(replaceName, dot)
	}
}

// measureReplace makes the method of a string one that looks at its result's
// size first, and leaves any other function as it is.
func measureReplace(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	method, ok := args[0].(*starlark.Builtin)
	if !ok {
		return args[0], nil
	}
	s, ok := method.Receiver().(starlark.String)
	if !ok {
		return method, nil
	}
	return starlark.NewBuiltin(method.Name(), func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := checkReplace(string(s), args); err != nil {
			return nil, err
		}
		return method.CallInternal(t, args, kwargs)
	}), nil
}

// checkReplace leaves arguments of the wrong kind to the method itself.
func checkReplace(s string, args starlark.Tuple) error {
	if len(args) < 2 {
		return nil
	}
	from, ok1 := starlark.AsString(args[0])
	to, ok2 := starlark.AsString(args[1])
	if !ok1 || !ok2 || len(to) <= len(from) {
		return nil
	}
	if n := strings.Count(s, from); n > 0 && n > maxProduct/len(to) {
		return fmt.Errorf("replace: the result is too large: %d times a string of %d bytes (at most %d MiB)", n, len(to), maxProduct>>20)
	}
	return nil
}

package builtins

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"go.starlark.net/starlark"
)

// maxElements bounds the sequences that builtins go through: that of a range is
// not bounded by the steps of the script.
const maxElements = 1_000_000

// elements gives the elements of a list, tuple, range or set.
func elements(v starlark.Value) ([]starlark.Value, bool) {
	switch v := v.(type) {
	case *starlark.List:
		out := make([]starlark.Value, v.Len())
		for i := range out {
			out[i] = v.Index(i)
		}
		return out, true
	case starlark.Tuple:
		return v, true
	case *starlark.Dict:
		return nil, false
	case starlark.Sequence:
		if v.Len() > maxElements {
			return nil, false
		}
		return slices.Collect(starlark.Elements(v)), true
	}
	return nil, false
}

// text formats what may stand in a command line.
func text(v starlark.Value) (string, bool) {
	switch v := v.(type) {
	case starlark.String:
		return string(v), true
	case Ref:
		return v.String(), true
	case starlark.Int:
		return v.String(), true
	case starlark.Float:
		n, err := wholeNumber(v)
		return strconv.FormatInt(n, 10), err == nil
	}
	return "", false
}

func wholeNumber(v starlark.Value) (int64, error) {
	switch v := v.(type) {
	case starlark.Int:
		if n, ok := v.Int64(); ok {
			return n, nil
		}
		return 0, fmt.Errorf("the number is too large")
	case starlark.Float:
		f := float64(v)
		if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return int64(f), nil
		}
		return 0, fmt.Errorf("want a whole number, got %v", v)
	}
	return 0, fmt.Errorf("want a whole number, got %s", describe(v))
}

func realNumber(v starlark.Value) (float64, error) {
	f, ok := starlark.AsFloat(v)
	if !ok {
		return 0, fmt.Errorf("want a number, got %s", describe(v))
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, fmt.Errorf("want a finite number, got %v", f)
	}
	return f, nil
}

// describe names a value in a message: its type, and itself where it is short.
func describe(v starlark.Value) string {
	switch v.(type) {
	case starlark.Int, starlark.Float, starlark.Bool, starlark.String:
		if s := v.String(); len(s) <= 40 {
			return fmt.Sprintf("%s (%s)", v.Type(), s)
		}
	}
	return v.Type()
}

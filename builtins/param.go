package builtins

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// ParseParam reads the text of a parameter as a value of the type of its
// default: a number with an optional unit ("0.5M", "8GiB"), a duration
// ("1m30s"), True or False, a string as it stands, a list as "1,10,100" or as a
// literal. A default of None, or none at all, says no type and is refused.
func ParseParam(text string, def starlark.Value) (starlark.Value, error) {
	switch def := def.(type) {
	case nil, *starlark.Function:
		return nil, fmt.Errorf("the parameter has no default, so its type is not known")
	case starlark.NoneType:
		return nil, fmt.Errorf("the parameter's default is None, so its type is not known")
	case starlark.String:
		return starlark.String(text), nil
	case starlark.Bool:
		return parseBool(text)
	case starlark.Int:
		return parseInt(text)
	case starlark.Float:
		return parseFloat(text)
	case Duration:
		return parseDuration(text)
	case *starlark.List:
		elems, err := parseElements(text, firstOf(def))
		if err != nil {
			return nil, err
		}
		return starlark.NewList(elems), nil
	case starlark.Tuple:
		elems, err := parseElements(text, firstOf(def))
		if err != nil {
			return nil, err
		}
		return starlark.Tuple(elems), nil
	case *starlark.Dict:
		v, err := parseLiteral(text)
		if err != nil {
			return nil, err
		}
		if _, ok := v.(*starlark.Dict); !ok {
			return nil, fmt.Errorf("want a dict such as {\"a\": 1}, got %s", describe(v))
		}
		return v, nil
	}
	return nil, fmt.Errorf("a parameter of type %s can't be set from text", def.Type())
}

// firstOf is the first element, which gives the type of all; nil: there is none.
func firstOf(list starlark.Value) starlark.Value {
	if elems, _ := elements(list); len(elems) > 0 {
		return elems[0]
	}
	return nil
}

func parseBool(text string) (starlark.Value, error) {
	b, err := strconv.ParseBool(text)
	if err != nil {
		return nil, fmt.Errorf("want True or False, got %q", text)
	}
	return starlark.Bool(b), nil
}

func parseInt(text string) (starlark.Value, error) {
	f, err := parseFloat(text)
	if err == nil {
		var n int64
		if n, err = wholeNumber(f); err == nil {
			return starlark.MakeInt64(n), nil
		}
	}
	return nil, fmt.Errorf("want a whole number such as 1000, 1M or 8GiB, got %q", text)
}

// parseFloat reads a number and its unit; "1 * M" is taken too.
func parseFloat(text string) (starlark.Value, error) {
	digits := strings.TrimRight(text, "KMGBi")
	unit := text[len(digits):]
	digits = strings.TrimRight(strings.TrimSuffix(strings.TrimSpace(digits), "*"), " ")
	f, err := strconv.ParseFloat(digits, 64)
	if n, errInt := strconv.ParseInt(digits, 10, 64); errInt == nil && unit == "" {
		return starlark.MakeInt64(n), nil // beyond 2^53 too
	}
	if unit != "" && err == nil {
		factor, ok := units()[unit].(starlark.Int)
		if !ok {
			return nil, fmt.Errorf("no unit is called %q", unit)
		}
		n, _ := factor.Int64()
		f *= float64(n)
	}
	if err != nil {
		return nil, fmt.Errorf("want a number such as 0.5, 1000 or 1M, got %q", text)
	}
	if _, err := realNumber(starlark.Float(f)); err != nil {
		return nil, err
	}
	return starlark.Float(f), nil
}

// parseDuration reads "1m30s" or "5 * second".
func parseDuration(text string) (starlark.Value, error) {
	if d, err := time.ParseDuration(text); err == nil {
		return Duration(d), nil
	}
	v, err := parseLiteral(text)
	if d, ok := v.(Duration); ok && err == nil {
		return d, nil
	}
	return nil, fmt.Errorf("want a duration such as 1m30s, got %q", text)
}

// parseElements reads a list, each element by the type of the default's first.
func parseElements(text string, first starlark.Value) ([]starlark.Value, error) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "[") || strings.HasPrefix(text, "(") {
		v, err := parseLiteral(text)
		if err != nil {
			return nil, err
		}
		elems, ok := elements(v)
		if !ok {
			return nil, fmt.Errorf("want a list, got %s", describe(v))
		}
		for i, e := range elems {
			if first != nil && e.Type() != first.Type() {
				return nil, fmt.Errorf("element %d: want %s, got %s", i, first.Type(), describe(e))
			}
		}
		return elems, nil
	}
	if text == "" {
		return nil, nil
	}
	if first == nil {
		first = starlark.String("")
	}
	var out []starlark.Value
	for word := range strings.SplitSeq(text, ",") {
		v, err := ParseParam(strings.TrimSpace(word), first)
		if err != nil {
			return nil, fmt.Errorf("element %d: %w", len(out), err)
		}
		out = append(out, v)
	}
	return out, nil
}

// parseLiteral reads a literal of Starlark. It evaluates nothing but signs and
// units, so that no text can take long.
func parseLiteral(text string) (starlark.Value, error) {
	expr, err := (&syntax.FileOptions{}).ParseExpr("value", text, 0)
	if err != nil {
		return nil, fmt.Errorf("%q is no literal: %w", text, err)
	}
	return literal(expr)
}

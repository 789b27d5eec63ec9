package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// Number is a figure that may be unknown, with the reason.
type Number struct {
	V      float64
	Reason string // not empty: V is unknown
}

// Known makes a Number. NaN and infinities become unknown.
func Known(v float64) Number {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return NA("not a number")
	}
	return Number{V: v}
}

// NA makes an unknown Number; reason is printed in parentheses after n/a.
func NA(reason string) Number { return Number{Reason: reason} }

// OK reports whether the figure is known.
func (n Number) OK() bool { return n.Reason == "" }

// MarshalJSON gives a number, or {"na": reason}.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.OK() {
		return json.Marshal(map[string]string{"na": n.Reason})
	}
	return strconv.AppendFloat(nil, n.V, 'g', -1, 64), nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (n *Number) UnmarshalJSON(b []byte) error {
	var na struct {
		NA string `json:"na"`
	}
	if len(b) > 0 && b[0] == '{' {
		if err := json.Unmarshal(b, &na); err != nil {
			return fmt.Errorf("a number that is not known: %w", err)
		}
		if na.NA == "" {
			na.NA = "no reason given"
		}
		*n = NA(na.NA)
		return nil
	}
	*n = Number{}
	return json.Unmarshal(b, &n.V)
}

// Values is a column; NaN is a gap, null in JSON.
type Values []float64

// MarshalJSON writes gaps as null.
func (v Values) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, f := range v {
		if i > 0 {
			b = append(b, ',')
		}
		if math.IsNaN(f) || math.IsInf(f, 0) {
			b = append(b, "null"...)
		} else {
			b = strconv.AppendFloat(b, f, 'g', -1, 64)
		}
	}
	return append(b, ']'), nil
}

// UnmarshalJSON reads null as NaN.
func (v *Values) UnmarshalJSON(b []byte) error {
	if quick, ok := parseValues(b); ok {
		*v = quick
		return nil
	}
	var p []*float64
	if err := json.Unmarshal(b, &p); err != nil {
		return fmt.Errorf("a column of values: %w", err)
	}
	*v = make(Values, len(p))
	for i, f := range p {
		(*v)[i] = math.NaN()
		if f != nil {
			(*v)[i] = *f
		}
	}
	return nil
}

// parseValues reads an array of numbers and nulls, which is valid JSON; ok is false
// of all else. Columns are most of a result, and pointers to single numbers most of
// the time that it takes to read them.
func parseValues(b []byte) (v Values, ok bool) {
	if len(b) < 3 || b[0] != '[' {
		return nil, false
	}
	v = make(Values, 0, bytes.Count(b, []byte{','})+1)
	for part := range bytes.SplitSeq(b[1:len(b)-1], []byte{','}) {
		part = bytes.TrimSpace(part)
		if string(part) == "null" {
			v = append(v, math.NaN())
			continue
		}
		f, err := strconv.ParseFloat(string(part), 64)
		if err != nil {
			return nil, false
		}
		v = append(v, f)
	}
	return v, true
}

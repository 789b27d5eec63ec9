package builtins

import (
	"fmt"
	"math"
	"math/big"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Duration is a length of time. It is a type of its own, so that 5 can't be
// taken for 5 seconds or 5 nanoseconds.
type Duration time.Duration

var (
	_ starlark.HasBinary      = Duration(0)
	_ starlark.HasUnary       = Duration(0)
	_ starlark.TotallyOrdered = Duration(0)
)

func (d Duration) String() string        { return time.Duration(d).String() }
func (d Duration) Type() string          { return "duration" }
func (d Duration) Freeze()               {}
func (d Duration) Truth() starlark.Bool  { return d != 0 }
func (d Duration) Hash() (uint32, error) { return uint32(d) ^ uint32(d>>32), nil }

// Cmp orders durations among themselves.
func (d Duration) Cmp(y starlark.Value, _ int) (int, error) {
	other := y.(Duration)
	switch {
	case d < other:
		return -1, nil
	case d > other:
		return 1, nil
	}
	return 0, nil
}

// Unary allows -d and +d.
func (d Duration) Unary(op syntax.Token) (starlark.Value, error) {
	switch op {
	case syntax.MINUS:
		return -d, nil
	case syntax.PLUS:
		return d, nil
	}
	return nil, nil
}

// Binary adds, subtracts and divides durations, and scales them by numbers.
// "1m30s" stands for a duration in sums too.
func (d Duration) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	if other, ok := y.(Duration); ok {
		return d.withDuration(op, other)
	}
	if text, ok := y.(starlark.String); ok && (op == syntax.PLUS || op == syntax.MINUS) {
		other, err := toDuration(text)
		if err != nil {
			return nil, err
		}
		if side == starlark.Right {
			return Duration(other).withDuration(op, d)
		}
		return d.withDuration(op, Duration(other))
	}
	f, ok := starlark.AsFloat(y)
	if !ok {
		return nil, nil
	}
	switch {
	case op == syntax.STAR:
		return d.scale(y, f)
	case op == syntax.SLASH && side == starlark.Left, op == syntax.SLASHSLASH && side == starlark.Left:
		if f == 0 {
			return nil, fmt.Errorf("duration divided by zero")
		}
		return checkedDuration(float64(d) / f)
	case op == syntax.PLUS, op == syntax.MINUS:
		return nil, fmt.Errorf("%s is a number, not a duration: give it a unit, as in %s * second", y, y)
	}
	return nil, nil
}

func (d Duration) withDuration(op syntax.Token, other Duration) (starlark.Value, error) {
	switch op {
	case syntax.PLUS, syntax.MINUS:
		sum := new(big.Int)
		if op == syntax.PLUS {
			sum.Add(big.NewInt(int64(d)), big.NewInt(int64(other)))
		} else {
			sum.Sub(big.NewInt(int64(d)), big.NewInt(int64(other)))
		}
		if !sum.IsInt64() {
			return nil, errTooLong
		}
		return Duration(sum.Int64()), nil
	case syntax.STAR:
		return nil, fmt.Errorf("a duration times a duration is no duration")
	}
	if other == 0 && (op == syntax.SLASH || op == syntax.SLASHSLASH || op == syntax.PERCENT) {
		return nil, fmt.Errorf("duration divided by zero")
	}
	switch op {
	case syntax.SLASH:
		return starlark.Float(float64(d) / float64(other)), nil
	case syntax.SLASHSLASH:
		return starlark.MakeInt64(int64(d / other)), nil
	case syntax.PERCENT:
		return d % other, nil
	}
	return nil, nil
}

// scale multiplies exactly where the factor is whole.
func (d Duration) scale(y starlark.Value, f float64) (starlark.Value, error) {
	if n, ok := y.(starlark.Int); ok {
		product := new(big.Int).Mul(big.NewInt(int64(d)), n.BigInt())
		if !product.IsInt64() {
			return nil, errTooLong
		}
		return Duration(product.Int64()), nil
	}
	return checkedDuration(float64(d) * f)
}

var errTooLong = fmt.Errorf("the duration is longer than 292 years")

func checkedDuration(ns float64) (starlark.Value, error) {
	if math.IsNaN(ns) || math.Abs(ns) >= math.MaxInt64 {
		return nil, errTooLong
	}
	return Duration(math.Round(ns)), nil
}

// toDuration reads a duration or its text. A bare number is refused.
func toDuration(v starlark.Value) (time.Duration, error) {
	switch v := v.(type) {
	case Duration:
		return time.Duration(v), nil
	case starlark.String:
		d, err := time.ParseDuration(string(v))
		if err != nil {
			return 0, fmt.Errorf(`want a duration such as "1m30s", got %s`, v)
		}
		return d, nil
	case starlark.Int, starlark.Float:
		if f, _ := starlark.AsFloat(v); f <= 0 {
			return 0, fmt.Errorf("want a duration such as 5 * second, got the number %s", v)
		}
		return 0, fmt.Errorf("want a duration, got the number %s: give it a unit, as in %s * second", v, v)
	}
	return 0, fmt.Errorf(`want a duration such as 5 * second or "1m30s", got %s`, describe(v))
}

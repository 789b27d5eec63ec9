package builtins

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Ref stands for what only the machine that runs the plan knows: an address, a
// port, a folder, a program. It formats to a token that set-up replaces.
type Ref struct{ token string }

var _ starlark.HasBinary = Ref{}

func (r Ref) String() string        { return r.token }
func (r Ref) Type() string          { return "reference" }
func (r Ref) Freeze()               {}
func (r Ref) Truth() starlark.Bool  { return true }
func (r Ref) Hash() (uint32, error) { return starlark.String(r.token).Hash() }

// Binary joins the reference with strings. Anything else would need its value,
// which is not known while the plan is made.
func (r Ref) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	var other string
	switch y := y.(type) {
	case starlark.String:
		other = string(y)
	case Ref:
		other = y.token
	default:
		return nil, r.unknown()
	}
	if op != syntax.PLUS {
		return nil, r.unknown()
	}
	if side == starlark.Right {
		return starlark.String(other + r.token), nil
	}
	return starlark.String(r.token + other), nil
}

func (r Ref) unknown() error {
	return fmt.Errorf("%s is known only when the cluster is set up: it can be put into text, but not reckoned with", r.token)
}

package builtins

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// notKnown is a figure that can't be known. What is reckoned with it is not
// known either, for the same reason.
type notKnown struct{ reason string }

var (
	_ starlark.HasBinary = notKnown{}
	_ starlark.HasUnary  = notKnown{}
)

func (n notKnown) String() string        { return "n/a (" + n.reason + ")" }
func (n notKnown) Type() string          { return "n/a" }
func (n notKnown) Freeze()               {}
func (n notKnown) Truth() starlark.Bool  { return false }
func (n notKnown) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: n/a") }

// Binary is of sums, products and the like.
func (n notKnown) Binary(op syntax.Token, _ starlark.Value, _ starlark.Side) (starlark.Value, error) {
	switch op {
	case syntax.PLUS, syntax.MINUS, syntax.STAR, syntax.SLASH, syntax.SLASHSLASH, syntax.PERCENT:
		return n, nil
	}
	return nil, fmt.Errorf("the figure is %v", n)
}

// Unary is of signs.
func (n notKnown) Unary(op syntax.Token) (starlark.Value, error) {
	if op == syntax.PLUS || op == syntax.MINUS {
		return n, nil
	}
	return nil, nil
}

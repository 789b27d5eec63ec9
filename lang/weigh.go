package lang

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Multiplication is the one operator that makes something huge out of something
// small in a single step, before any watch could see it: "x" * n, [0] * n, and
// big * big, which also takes for ever. So each product of a script is rewritten
// before it is resolved: x * y becomes measure(x) * y, where measure wraps x in
// a value whose operator looks at the size of the result first. Positions stay
// as they were.

const (
	maxProduct = 16 << 20 // bytes of a string or list made by *
	maxBits    = 1 << 16  // of an integer made by *
	valueSize  = 16       // bytes of an element of a list
)

// measureName can't be written in a script.
const measureName = "*"

// weigh rewrites the products and replacements of a file, in place.
func weigh(tree *syntax.File) {
	syntax.Walk(tree, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BinaryExpr:
			if n.Op == syntax.STAR {
				n.X = measured(n.X)
			}
		case *syntax.AssignStmt:
			if n.Op == syntax.STAR_EQ {
				weighAssignment(n)
			}
		case *syntax.CallExpr:
			weighReplace(n)
		}
		return true
	})
}

// weighAssignment rewrites x *= y to x = measure(x) * y. Where x is an element
// or a field, which must be evaluated once only, y is wrapped instead.
func weighAssignment(n *syntax.AssignStmt) {
	id, ok := n.LHS.(*syntax.Ident)
	if !ok {
		n.RHS = measured(n.RHS)
		return
	}
	n.Op = syntax.EQ
	use := &syntax.Ident{NamePos: id.NamePos, Name: id.Name}
	// The walk goes on into the product and wraps its left side.
	n.RHS = &syntax.BinaryExpr{X: use, OpPos: n.OpPos, Op: syntax.STAR, Y: n.RHS}
}

func measured(x syntax.Expr) syntax.Expr { return wrapped(measureName, x) }

// wrapped is the call of a builtin with x.
func wrapped(builtin string, x syntax.Expr) syntax.Expr {
	start, end := x.Span()
	return &syntax.CallExpr{
		Fn:     &syntax.Ident{NamePos: start, Name: builtin},
		Lparen: start, Args: []syntax.Expr{x}, Rparen: end,
	}
}

// measure is the builtin that wraps an operand.
func measure(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	return operand{args[0]}, nil
}

// operand is one side of a product under way. It exists between two steps only.
type operand struct{ starlark.Value }

// Binary multiplies, if the product is not too large.
func (o operand) Binary(op syntax.Token, other starlark.Value, side starlark.Side) (starlark.Value, error) {
	x, y := o.Value, other
	if side == starlark.Right {
		x, y = y, x
	}
	if op == syntax.STAR {
		if err := checkProduct(x, y); err != nil {
			return nil, err
		}
	}
	return starlark.Binary(op, x, y)
}

func checkProduct(x, y starlark.Value) error {
	n, ok := x.(starlark.Int)
	if !ok {
		x, y = y, x
		if n, ok = x.(starlark.Int); !ok {
			return nil
		}
	}
	if m, ok := y.(starlark.Int); ok {
		if bits := n.BigInt().BitLen() + m.BigInt().BitLen(); bits > maxBits {
			return fmt.Errorf("the product is too large: an integer of about %d bits (at most %d)", bits, maxBits)
		}
		return nil
	}
	var size int64
	switch y := y.(type) {
	case starlark.String:
		size = int64(len(y))
	case starlark.Bytes:
		size = int64(len(y))
	case *starlark.List:
		size = int64(y.Len()) * valueSize
	case starlark.Tuple:
		size = int64(len(y)) * valueSize
	}
	count, fits := n.Int64()
	if size > 0 && n.Sign() > 0 && (!fits || count > maxProduct/size) {
		times := n.String()
		if !fits {
			times = "far too many"
		}
		return fmt.Errorf("the product is too large: a %s repeated %s times (at most %d MiB)", y.Type(), times, maxProduct>>20)
	}
	return nil
}

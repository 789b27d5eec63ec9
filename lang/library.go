package lang

import (
	"errors"
	"slices"

	"go.starlark.net/syntax"
)

// throughLibrary looks for the argument of the user's call that made the
// library fail: the library function handed it on, under its parameter's name,
// to the operation that refused it. It is found where just one argument comes
// into question.
func (f *failure) throughLibrary(call *syntax.CallExpr) (span, bool) {
	inner := f.frames[f.depth-1]
	tree := inner.src.syntaxTree()
	def := defOf(tree, inner.name, inner.pos)
	operation := operationAt(tree, int(inner.pos.Line), int(inner.pos.Col))
	if def == nil || operation == nil {
		return span{}, false
	}
	if c, ok := operation.(*syntax.CallExpr); ok {
		if b, ok := errors.AsType[blamer](f.err.Unwrap()); ok {
			name, index := b.BlamesArg()
			if _, value := argument(c, name, index); value != nil {
				operation = value
			}
		}
	}
	params := paramNames(def.Params)
	var candidates []syntax.Expr
	for _, name := range namesIn(operation) {
		if i := slices.Index(params, name); i >= 0 {
			if _, value := argument(call, name, i); value != nil && !slices.Contains(candidates, value) {
				candidates = append(candidates, value)
			}
		}
	}
	if len(candidates) != 1 {
		return span{}, false
	}
	return spanOf(candidates[0]), true
}

// operationAt is the call or operator whose position Starlark gives as this.
func operationAt(tree *syntax.File, line, col int) syntax.Expr {
	if call := callAt(tree, line, col); call != nil {
		return call
	}
	op, ok := find(tree, func(b *syntax.BinaryExpr) bool { return same(b.OpPos, line, col) })
	if !ok {
		return nil
	}
	return op
}

// namesIn lists the variables that an expression uses; the names of keyword
// arguments and of called functions are none.
func namesIn(e syntax.Expr) []string {
	var names []string
	skip := map[syntax.Node]bool{}
	syntax.Walk(e, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			skip[n.Fn] = true
		case *syntax.BinaryExpr:
			skip[n.X] = skip[n.X] || n.Op == syntax.EQ
		case *syntax.DotExpr:
			skip[n.Name] = true
		case *syntax.Ident:
			if !skip[n] {
				names = append(names, n.Name)
			}
		}
		return true
	})
	return names
}

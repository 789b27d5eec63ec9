package lang

import (
	"strings"

	"go.starlark.net/syntax"
)

// span is a place in a file: width characters of a line, from col on.
type span struct{ line, col, width int }

// spanOf is where a node stands. A node of several lines is marked to the end
// of its first.
func spanOf(n syntax.Node) span {
	start, end := n.Span()
	s := span{int(start.Line), int(start.Col), int(end.Col - start.Col)}
	if end.Line != start.Line {
		s.width = maxSource
	}
	return s
}

func same(p syntax.Position, line, col int) bool {
	return int(p.Line) == line && int(p.Col) == col
}

// find returns the first node, from outside in, that match accepts.
func find[N syntax.Node](tree *syntax.File, match func(N) bool) (N, bool) {
	var found N
	var ok bool
	if tree == nil {
		return found, false
	}
	syntax.Walk(tree, func(n syntax.Node) bool {
		if m, is := n.(N); is && !ok && match(m) {
			found, ok = m, true
		}
		return !ok
	})
	return found, ok
}

// callAt finds the call whose parenthesis stands at the position; that is what
// Starlark gives as the position of a call.
func callAt(tree *syntax.File, line, col int) *syntax.CallExpr {
	call, _ := find(tree, func(c *syntax.CallExpr) bool { return same(c.Lparen, line, col) })
	return call
}

// defOf finds the innermost function of a name around a position.
func defOf(tree *syntax.File, name string, pos syntax.Position) *syntax.DefStmt {
	var def *syntax.DefStmt
	find(tree, func(d *syntax.DefStmt) bool {
		start, end := d.Span()
		if d.Name.Name == name && start.Line <= pos.Line && pos.Line <= end.Line {
			def = d
		}
		return false
	})
	return def
}

// calleeSpan is the name by which a call calls.
func calleeSpan(call *syntax.CallExpr) span {
	if dot, ok := call.Fn.(*syntax.DotExpr); ok {
		return spanOf(dot.Name)
	}
	return spanOf(call.Fn)
}

// calleeName is the last word of what a call calls; empty where that is no name.
func calleeName(call *syntax.CallExpr) string {
	switch fn := call.Fn.(type) {
	case *syntax.Ident:
		return fn.Name
	case *syntax.DotExpr:
		return fn.Name.Name
	}
	return ""
}

// argumentSpan marks an argument: its value, or its keyword where that is what
// the message calls unexpected; the name of the call where it is not given.
func argumentSpan(call *syntax.CallExpr, name string, index int, msg string) span {
	key, value := argument(call, name, index)
	switch {
	case value == nil:
		return calleeSpan(call)
	case key != nil && strings.Contains(msg, "unexpected"):
		return spanOf(key)
	}
	return spanOf(value)
}

// argument finds an argument of a call: by keyword where there is one of that
// name, else by position (from 0; -1: by name alone). It returns the keyword
// (nil for a positional argument) and the value.
func argument(call *syntax.CallExpr, name string, index int) (*syntax.Ident, syntax.Expr) {
	position := 0
	for _, arg := range call.Args {
		if kw, ok := arg.(*syntax.BinaryExpr); ok && kw.Op == syntax.EQ {
			if id, ok := kw.X.(*syntax.Ident); ok && name != "" && id.Name == name {
				return id, kw.Y
			}
			continue
		}
		if star, ok := arg.(*syntax.UnaryExpr); ok && star.Op == syntax.STAR {
			return nil, nil // positions beyond it are not known
		}
		if position == index {
			return nil, arg
		}
		position++
	}
	return nil, nil
}

// paramNames lists the parameters that can be given by name.
func paramNames(params []syntax.Expr) []string {
	var names []string
	for _, p := range params {
		if b, ok := p.(*syntax.BinaryExpr); ok {
			p = b.X
		}
		if id, ok := p.(*syntax.Ident); ok {
			names = append(names, id.Name)
		}
	}
	return names
}

package lang

import (
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// LoopVariable names a variable of a loop that fn, made inside the loop, sees
// from outside itself: when fn is called after the loop, the variable has its
// last value. It does not matter how many passes there were.
func (f *File) LoopVariable(fn starlark.Callable) (name string, ok bool) {
	function, ok := fn.(*starlark.Function)
	if !ok {
		return "", false
	}
	src := f.host.byShown[function.Position().Filename()]
	if src == nil {
		return "", false
	}
	for i := range function.NumFreeVars() {
		binding, _ := function.FreeVar(i)
		if src.isLoopVariable(binding.Pos, function.Position()) {
			return binding.Name, true
		}
	}
	return "", false
}

// isLoopVariable reports whether a name is bound at pos by a loop that goes on
// around user.
func (s *source) isLoopVariable(pos, user syntax.Position) bool {
	_, byLoop := find(s.syntaxTree(), func(n *syntax.ForStmt) bool {
		return around(n, user) && binds(n.Vars, pos)
	})
	_, byComprehension := find(s.syntaxTree(), func(n *syntax.Comprehension) bool {
		return around(n, user) && slices.ContainsFunc(n.Clauses, func(clause syntax.Node) bool {
			loop, ok := clause.(*syntax.ForClause)
			return ok && binds(loop.Vars, pos)
		})
	})
	return byLoop || byComprehension
}

// around reports whether pos lies in the text of n.
func around(n syntax.Node, pos syntax.Position) bool {
	start, end := n.Span()
	return !before(pos, start) && before(pos, end)
}

func before(a, b syntax.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Col < b.Col
}

// binds reports whether a name stands at pos in the variables of a loop.
func binds(vars syntax.Expr, pos syntax.Position) bool {
	bound := false
	syntax.Walk(vars, func(n syntax.Node) bool {
		id, ok := n.(*syntax.Ident)
		bound = bound || ok && same(id.NamePos, int(pos.Line), int(pos.Col))
		return !bound
	})
	return bound
}

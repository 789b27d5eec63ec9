package lang

import (
	"fmt"
	"strings"

	"go.starlark.net/syntax"
)

// The errors of this file are found when a function of a script begins, but
// made by its caller: the interpreter's innermost frame is the callee.

// callee leaves the frame of the function that was called, and returns its
// definition (nil: a lambda) and the call (nil: it came from Go code).
func (f *failure) callee(name string) (*syntax.DefStmt, *syntax.CallExpr) {
	inner := f.frames[0]
	def := defOf(inner.src.syntaxTree(), name, inner.pos)
	if len(f.frames) == 1 {
		return def, nil
	}
	f.depth = 1 + blamed(f.frames[1:])
	fr, line, col := f.here()
	call := callAt(fr.src.syntaxTree(), line, col)
	if f.depth > 1 {
		call = nil // the fault is in a call inside the library
	}
	return def, call
}

// f(clinets = 1)
func explainKeyword(f *failure, m []string) (span, bool) {
	def, call := f.callee(m[1])
	f.msg = fmt.Sprintf("%s has no parameter %s", m[1], m[2])
	if def != nil {
		f.msg += didYouMean(m[2], paramNames(def.Params))
	}
	if call == nil {
		return span{}, false
	}
	if key, _ := argument(call, m[2], -1); key != nil {
		return spanOf(key), true
	}
	return calleeSpan(call), true
}

// Too few or too many arguments: mark the first one too many, or the name.
func explainArguments(f *failure, m []string) (span, bool) {
	def, call := f.callee(m[1])
	if missing := m[2]; missing != "" {
		f.msg = fmt.Sprintf("%s lacks the argument %s", m[1], strings.ReplaceAll(missing, ", ", " and "))
	} else {
		f.msg = strings.TrimPrefix(f.msg, "function ")
	}
	if call == nil {
		return span{}, false
	}
	if key, _ := argument(call, m[3], -1); m[3] != "" && key != nil {
		return spanOf(key), true
	}
	if def != nil && m[2] == "" && m[3] == "" {
		if _, extra := argument(call, "", positional(def.Params)); extra != nil {
			return spanOf(extra), true
		}
	}
	return calleeSpan(call), true
}

// positional counts the parameters that can be given by position.
func positional(params []syntax.Expr) int {
	for i, p := range params {
		if u, ok := p.(*syntax.UnaryExpr); ok && u.Op == syntax.STAR {
			return i
		}
	}
	return len(paramNames(params))
}

// loadAt finds the load statement of the blamed frame.
func (f *failure) loadAt() *syntax.LoadStmt {
	fr, line, col := f.here()
	stmt, _ := find(fr.src.syntaxTree(), func(l *syntax.LoadStmt) bool { return same(l.Load, line, col) })
	return stmt
}

// load("x.star", "nmae"): mark the name, with what the file does define.
func explainLoadName(f *failure, m []string) (span, bool) {
	f.msg = fmt.Sprintf("%s defines no %s", m[2], m[1])
	stmt := f.loadAt()
	if stmt == nil {
		return span{}, false
	}
	if mod, err := f.host.find(m[2], f.frames[f.depth].src); err == nil {
		f.msg += didYouMean(m[1], mod.globals.Keys())
	}
	for _, from := range stmt.From {
		if from.Name == m[1] {
			return spanOf(from), true
		}
	}
	return spanOf(stmt.Module), true
}

// load("missing.star", …): mark the file's name.
func explainLoad(f *failure, _ []string) (span, bool) {
	if cause := f.err.Unwrap(); cause != nil {
		if u, ok := cause.(interface{ Unwrap() error }); ok && u.Unwrap() != nil {
			f.msg = u.Unwrap().Error()
		}
	}
	if stmt := f.loadAt(); stmt != nil {
		return spanOf(stmt.Module), true
	}
	return span{}, false
}

package builtins

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

// A site is where a value was made: the innermost call outside the standard
// library, so that a user's own line is blamed.
type site struct {
	pos        plan.Pos
	positional []string // parameters given by position; empty where the call is a library's own
	library    bool     // the builtin itself was called by the standard library
}

const stdPrefix = "@std//"

func siteOf(thread *starlark.Thread) site {
	s := site{}
	for depth := 1; depth < thread.CallStackDepth(); depth++ {
		pos := thread.CallFrame(depth).Pos
		if !pos.IsValid() || pos.Filename() == "<builtin>" {
			continue // a call through a builtin: sorted, a recipe of stores
		}
		if strings.HasPrefix(pos.Filename(), stdPrefix) {
			s.library = true
			continue
		}
		s.pos = plan.Pos{File: pos.Filename(), Line: int(pos.Line), Col: int(pos.Col)}
		break
	}
	return s
}

// ArgError is a wrong argument. It says which one, so that the caret can stand
// under it.
type ArgError struct {
	Pos   plan.Pos
	Name  string // of the parameter; empty: the call as a whole, or see Index
	Index int    // place among the arguments given by position; -1: given by name
	Text  string
}

func (e *ArgError) Error() string { return e.Text }

// BlamesArg names the argument; the index is -1 when it was given by name.
func (e *ArgError) BlamesArg() (name string, index int) { return e.Name, e.Index }

// blame makes an error about the named argument of the call.
func (c *call) blame(name, format string, args ...any) error {
	return &ArgError{
		Pos:   c.site.pos,
		Name:  name,
		Index: slices.Index(c.site.positional, name),
		Text:  c.fn.name() + ": " + fmt.Sprintf(format, args...),
	}
}

// problem turns an error that came up after evaluation into a problem of the
// plan.
func (e *ArgError) problem() plan.Problem {
	return plan.Problem{Pos: e.Pos, Arg: e.Name, Place: e.Index + 1, Text: e.Text}
}

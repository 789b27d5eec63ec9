package builtins

import (
	"strings"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

func findBuiltin() builtin {
	return builtin{
		signature: "find(name)",
		doc:       "The path of a program on the node's machine, looked up at set-up; find(\"kvscen\") is kvscen itself.",
		make:      makeFind,
	}
}

// selfName is the program that is never looked up.
const selfName = "kvscen"

func makeFind(c *call) (starlark.Value, error) {
	name := c.tokenText("name")
	if name == selfName {
		return Ref{plan.Token("self")}, nil
	}
	return Ref{plan.Token("find:" + name)}, nil
}

func globBuiltin() builtin {
	return builtin{
		signature: "glob(pattern)",
		doc:       "The files that match on the node's machine, joined by colons, looked up at set-up.",
		make:      makeGlob,
	}
}

func makeGlob(c *call) (starlark.Value, error) {
	return Ref{plan.Token("glob:" + c.tokenText("pattern"))}, nil
}

// tokenText reads what may stand inside a token.
func (c *call) tokenText(name string) string {
	s := c.str(name, "")
	if s == "" || strings.Contains(s, plan.TokenClose) {
		c.fail(name, "must not be empty or hold %q, got %q", plan.TokenClose, s)
	}
	return s
}

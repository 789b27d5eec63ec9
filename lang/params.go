package lang

import (
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Param is a parameter of main.
type Param struct {
	Name    string
	Doc     string         // from the section Args: of main's docstring
	Default starlark.Value // nil: it has none

	file      string
	line, col int
}

// params reads the parameters off a function: names and defaults from its
// signature, help from its docstring. *args and **kwargs are none.
func params(fn *starlark.Function) []Param {
	docs := argDocs(fn.Doc())
	n := fn.NumParams()
	if fn.HasVarargs() {
		n--
	}
	if fn.HasKwargs() {
		n--
	}
	list := make([]Param, 0, n)
	for i := range n {
		name, pos := fn.Param(i)
		list = append(list, Param{
			Name: name, Doc: docs[name], Default: fn.ParamDefault(i),
			file: pos.Filename(), line: int(pos.Line), col: int(pos.Col),
		})
	}
	return list
}

// argDocs reads the section Args: of a docstring. Each entry is "name: text", at
// the indentation of the first; deeper lines go on with the entry above. The
// section ends at a line that is not indented under its heading.
func argDocs(doc string) map[string]string {
	docs := map[string]string{}
	heading, entry := -1, -1 // indentations
	name := ""
	for line := range strings.Lines(doc) {
		text := strings.TrimSpace(line)
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		switch {
		case text == "":
		case heading < 0:
			if text == "Args:" {
				heading = indent
			}
		case indent <= heading:
			return docs
		default:
			if entry < 0 {
				entry = indent
			}
			key, rest, isEntry := strings.Cut(text, ":")
			if indent <= entry && isEntry {
				name = strings.TrimSpace(key)
				docs[name] = strings.TrimSpace(rest)
			} else {
				docs[name] = strings.TrimSpace(docs[name] + " " + text)
			}
		}
	}
	return docs
}

// fileDoc is the string at the top of a file.
func fileDoc(tree *syntax.File) string {
	if tree == nil || len(tree.Stmts) == 0 {
		return ""
	}
	if stmt, ok := tree.Stmts[0].(*syntax.ExprStmt); ok {
		if lit, ok := stmt.X.(*syntax.Literal); ok && lit.Token == syntax.STRING {
			return lit.Value.(string)
		}
	}
	return ""
}

// dedent takes the blanks around a docstring off, and the indentation that its
// lines after the first have in common.
func dedent(doc string) string {
	lines := strings.Split(strings.TrimSpace(doc), "\n")
	common := -1
	for _, l := range lines[1:] {
		if strings.TrimSpace(l) == "" {
			continue
		}
		if indent := len(l) - len(strings.TrimLeft(l, " \t")); common < 0 || indent < common {
			common = indent
		}
	}
	for i, l := range lines[1:] {
		lines[i+1] = strings.TrimRight(l[min(max(common, 0), len(l)):], " \t")
	}
	return strings.Join(lines, "\n")
}

// globalIdent finds where a global is defined.
func globalIdent(tree *syntax.File, name string) *syntax.Ident {
	if tree == nil {
		return nil
	}
	for _, stmt := range tree.Stmts {
		switch stmt := stmt.(type) {
		case *syntax.DefStmt:
			if stmt.Name.Name == name {
				return stmt.Name
			}
		case *syntax.AssignStmt:
			if id, ok := stmt.LHS.(*syntax.Ident); ok && id.Name == name {
				return id
			}
		}
	}
	return nil
}

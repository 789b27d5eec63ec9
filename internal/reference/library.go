package reference

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"go.starlark.net/syntax"
)

// recipe prints the signature and the docstring of a store's recipe.
func (p *page) recipe(files fs.FS, name string) error {
	text, file, err := parseStar(files, name+".star")
	if err != nil {
		return err
	}
	for _, def := range functions(file) {
		if def.Name.Name == name {
			p.function(fmt.Sprintf("stores[%q]", name), text, def)
			return nil
		}
	}
	return fmt.Errorf("reading the library: %s.star defines no function %s", name, name)
}

// library prints the files of the library that are no recipes: what each is
// for, and its functions.
func (p *page) library(files fs.FS, recipes []string) error {
	paths, err := fs.Glob(files, "*.star")
	if err != nil {
		return fmt.Errorf("listing the library: %w", err)
	}
	for _, path := range paths {
		if slices.Contains(recipes, strings.TrimSuffix(path, ".star")) {
			continue
		}
		text, file, err := parseStar(files, path)
		if err != nil {
			return err
		}
		p.printf("\n## @std//%s\n\n```text\n%s\n```\n", path, strings.TrimSpace(stringOf(file.Stmts)))
		for _, def := range functions(file) {
			if !strings.HasPrefix(def.Name.Name, "_") {
				p.function(def.Name.Name, text, def)
			}
		}
	}
	return nil
}

func parseStar(files fs.FS, path string) (string, *syntax.File, error) {
	text, err := fs.ReadFile(files, path)
	if err != nil {
		return "", nil, fmt.Errorf("reading the library: %w", err)
	}
	options := &syntax.FileOptions{Set: true}
	file, err := options.Parse(path, text, 0)
	if err != nil {
		return "", nil, fmt.Errorf("reading the library: %w", err)
	}
	return string(text), file, nil
}

// functions lists those at the top level of a file.
func functions(file *syntax.File) []*syntax.DefStmt {
	var defs []*syntax.DefStmt
	for _, stmt := range file.Stmts {
		if def, ok := stmt.(*syntax.DefStmt); ok {
			defs = append(defs, def)
		}
	}
	return defs
}

// function prints a heading, the signature as it was written, and the docstring.
func (p *page) function(title, text string, def *syntax.DefStmt) {
	p.printf("\n### %s\n\n```python\n%s\n```\n\n%s\n", title, header(text, def), docstring(def))
}

// header is the text of a function from def to the colon, as it was written.
func header(text string, def *syntax.DefStmt) string {
	lines := strings.Split(text, "\n")
	start, _ := def.Span()
	body, _ := def.Body[0].Span()
	return strings.TrimSpace(strings.Join(lines[start.Line-1:body.Line-1], "\n"))
}

// stringOf is the string that a body begins with, empty where there is none.
func stringOf(body []syntax.Stmt) string {
	if len(body) == 0 {
		return ""
	}
	if stmt, ok := body[0].(*syntax.ExprStmt); ok {
		if lit, ok := stmt.X.(*syntax.Literal); ok && lit.Token == syntax.STRING {
			return lit.Value.(string)
		}
	}
	return ""
}

// docstring is that of a function, its indentation removed and its list of
// arguments turned to Markdown.
func docstring(def *syntax.DefStmt) string {
	var b strings.Builder
	inArgs := false
	for line := range strings.Lines(stringOf(def.Body)) {
		text := strings.TrimSpace(line)
		if text == "Args:" {
			inArgs = true
			continue
		}
		if name, meaning, ok := strings.Cut(text, ": "); ok && inArgs && !strings.Contains(name, " ") {
			text = "- `" + name + "`: " + meaning
		} else if inArgs && text != "" {
			text = "  " + text
		}
		b.WriteString(text + "\n")
	}
	return strings.TrimSpace(b.String())
}

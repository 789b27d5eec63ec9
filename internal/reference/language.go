package reference

import (
	"fmt"
	"io/fs"
	"strings"

	"go.starlark.net/syntax"

	"github.com/kvscen/kvscen/builtins"
	"github.com/kvscen/kvscen/stdlib"
)

// language is the reference of the words of a scenario and of the recipes.
func language() ([]byte, error) {
	p := newPage("Words of the language", `Every predeclared word, with its arguments and their defaults; an argument without a default must be
given, and one followed by a bare `+"`=`"+` may be left out. [language.md](language.md) shows how they go together.`)
	p.printf("\n## Constructors\n")
	for _, w := range builtins.Reference() {
		p.word(w)
	}
	p.printf("\n## Units and data\n\n")
	p.printf("`K M G KB KiB MB MiB GB GiB` are numbers. `us ms second minute hour` are durations, which may also be written\nas text: `\"1m30s\"`. ")
	p.printf("`struct(...)` makes a value with fields; `json.encode` and `json.decode` turn values to text and back.\n")
	p.printf("\n## Recipes\n\n`stores[\"NAME\"]` is the function NAME of `@std//NAME.star`; it returns a cluster.\n")
	for _, name := range stdlib.Recipes() {
		if err := p.recipe(stdlib.Files(), name); err != nil {
			return nil, err
		}
	}
	return p.Bytes(), nil
}

func (p *page) word(w builtins.Word) {
	name, _, _ := strings.Cut(w.Signature, "(")
	p.printf("\n### %s\n\n    %s\n\n%s\n", name, w.Signature, w.Doc)
	if len(w.Methods) == 0 {
		return
	}
	p.table("Method", "Meaning")
	for _, m := range w.Methods {
		p.row(code("."+m.Signature), m.Doc)
	}
}

// recipe prints the signature and the docstring of a store's recipe.
func (p *page) recipe(files fs.FS, name string) error {
	path := name + ".star"
	text, err := fs.ReadFile(files, path)
	if err != nil {
		return fmt.Errorf("reading the recipe of %s: %w", name, err)
	}
	options := &syntax.FileOptions{Set: true}
	file, err := options.Parse(path, text, 0)
	if err != nil {
		return fmt.Errorf("reading the recipe of %s: %w", name, err)
	}
	for _, stmt := range file.Stmts {
		def, ok := stmt.(*syntax.DefStmt)
		if !ok || def.Name.Name != name {
			continue
		}
		p.printf("\n### stores[%q]\n\n```python\n%s\n```\n\n%s\n", name, header(string(text), def), docstring(def))
		return nil
	}
	return fmt.Errorf("reading the recipe of %s: %s defines no function %s", name, path, name)
}

// header is the text of a function from def to the colon, as it was written.
func header(text string, def *syntax.DefStmt) string {
	lines := strings.Split(text, "\n")
	start, _ := def.Span()
	body, _ := def.Body[0].Span()
	return strings.TrimSpace(strings.Join(lines[start.Line-1:body.Line-1], "\n"))
}

// docstring is the first string of a function, its indentation and the heading
// of its arguments turned to a list.
func docstring(def *syntax.DefStmt) string {
	stmt, ok := def.Body[0].(*syntax.ExprStmt)
	if !ok {
		return ""
	}
	lit, ok := stmt.X.(*syntax.Literal)
	if !ok || lit.Token != syntax.STRING {
		return ""
	}
	var b strings.Builder
	inArgs := false
	for line := range strings.Lines(lit.Value.(string)) {
		text := strings.TrimSpace(line)
		if text == "Args:" {
			inArgs = true
			b.WriteString("\n")
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

package reference

import (
	"strings"

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
	p.printf("\n## The result\n")
	p.word(builtins.ResultReference())
	p.printf("\n## Units and data\n\n")
	p.printf("`K M G KB KiB MB MiB GB GiB` are numbers. `us ms second minute hour` are durations, which may also be written\nas text: `\"1m30s\"`. ")
	p.printf("`struct(...)` makes a value with fields; `json.encode` and `json.decode` turn values to text and back.\n")
	p.printf("\n## Recipes\n\n`stores[\"NAME\"]` is the function NAME of `@std//NAME.star`; it returns a cluster.\n")
	for _, name := range stdlib.Recipes() {
		if err := p.recipe(stdlib.Files(), name); err != nil {
			return nil, err
		}
	}
	if err := p.library(stdlib.Files(), stdlib.Recipes()); err != nil {
		return nil, err
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

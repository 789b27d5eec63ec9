package scenario

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/builtins"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/lang"
)

// argument is a parameter of main and the value it was given.
type argument struct {
	name  string
	value starlark.Value
}

// arguments are those of main, in its order.
type arguments []argument

func (as arguments) kwargs() []starlark.Tuple {
	out := make([]starlark.Tuple, len(as))
	for i, a := range as {
		out[i] = starlark.Tuple{starlark.String(a.name), a.value}
	}
	return out
}

func (as arguments) dict() starlark.StringDict {
	out := starlark.StringDict{}
	for _, a := range as {
		out[a.name] = a.value
	}
	return out
}

// binder fills in the parameters of main and gathers what is wrong.
type binder struct {
	file   *lang.File
	values map[string]starlark.Value
	wrong  lang.Diagnostics
}

// bind gives each parameter a value: that of Set, else of the global small
// where it is asked for, else the default.
func bind(f *lang.File, o Options) (arguments, error) {
	b := &binder{file: f, values: map[string]starlark.Value{}}
	if o.Small {
		b.takeSmall()
	}
	for _, p := range o.Given {
		b.give(p)
	}
	for _, text := range o.Set {
		b.set(text)
	}
	args := make(arguments, 0, len(f.Params))
	for _, p := range f.Params {
		v := b.values[p.Name]
		if v == nil {
			v = p.Default
		}
		if isNone(v) {
			b.refuseUntyped(p)
		}
		args = append(args, argument{p.Name, v})
	}
	if len(b.wrong) > 0 {
		return nil, &b.wrong
	}
	return args, nil
}

// set reads one NAME=VALUE.
func (b *binder) set(text string) {
	name, value, ok := strings.Cut(text, "=")
	name = strings.TrimSpace(name)
	if !ok || name == "" {
		b.refuse(b.file.LocateGlobal("main", fmt.Sprintf("--set %s: want NAME=VALUE", text)))
		return
	}
	p := b.param(name)
	if p == nil {
		b.refuse(b.file.LocateGlobal("main", fmt.Sprintf("--set %s: main has no parameter %s%s", text, name, b.hint(name))))
		return
	}
	def := p.Default
	if isNone(def) {
		def = b.values[name] // of small
	}
	if isNone(def) {
		return // refused with all the others of its kind
	}
	v, err := builtins.ParseParam(value, def)
	if err != nil {
		b.refuse(b.file.LocateParam(name, fmt.Sprintf("--set %s: %v; the default of %s is %s (%s)", text, err, name, def, def.Type())))
		return
	}
	b.values[name] = v
}

// give takes a parameter as a result keeps it.
func (b *binder) give(p plan.Param) {
	v, err := builtins.ParseStored(p.Value)
	switch {
	case b.param(p.Name) == nil:
		b.refuse(b.file.LocateGlobal("main", fmt.Sprintf("%s = %s: main has no parameter %s%s", p.Name, p.Value, p.Name, b.hint(p.Name))))
	case err != nil:
		b.refuse(b.file.LocateParam(p.Name, fmt.Sprintf("%s = %s: %v", p.Name, p.Value, err)))
	default:
		b.values[p.Name] = v
	}
}

// takeSmall reads the global small.
func (b *binder) takeSmall() {
	v, ok := b.file.Globals["small"]
	if !ok {
		b.refuse(b.file.LocateGlobal("main", "--small: the file defines no small = dict(...) with the parameters of a run of seconds"))
		return
	}
	dict, ok := v.(*starlark.Dict)
	if !ok {
		b.refuse(b.file.LocateGlobal("small", fmt.Sprintf("small must be a dict from parameters of main to values, not a %s", v.Type())))
		return
	}
	for _, item := range dict.Items() {
		name, ok := starlark.AsString(item[0])
		if !ok || b.param(name) == nil {
			b.refuse(b.file.LocateGlobal("small", fmt.Sprintf("small: main has no parameter %s%s", item[0], b.hint(name))))
			continue
		}
		if def := b.param(name).Default; !isNone(def) && !alike(def, item[1]) {
			b.refuse(b.file.LocateGlobal("small", fmt.Sprintf("small: %s = %s (%s), but the default is %s (%s)", name, item[1], item[1].Type(), def, def.Type())))
			continue
		}
		b.values[name] = item[1]
	}
}

func (b *binder) refuse(d lang.Diagnostic) { b.wrong = append(b.wrong, d) }

func (b *binder) refuseUntyped(p lang.Param) {
	what := "has no default"
	if p.Default != nil {
		what = "has the default None"
	}
	b.refuse(b.file.LocateParam(p.Name, fmt.Sprintf("parameter %s %s, so that its type is not known: give it a default of the type that it takes", p.Name, what)))
}

func (b *binder) param(name string) *lang.Param {
	i := slices.IndexFunc(b.file.Params, func(p lang.Param) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return &b.file.Params[i]
}

// hint names the nearest parameter, or all of them where none is near.
func (b *binder) hint(name string) string {
	var names []string
	for _, p := range b.file.Params {
		names = append(names, p.Name)
	}
	switch near := lang.Nearest(name, names); {
	case near != "":
		return fmt.Sprintf(" (did you mean %s?)", near)
	case len(names) == 0:
		return "; it has none at all"
	}
	return "; there are: " + strings.Join(names, ", ")
}

func isNone(v starlark.Value) bool { return v == nil || v == starlark.None }

// alike reports whether a value may stand for a default: the same type, or both
// numbers, or both lists of some kind.
func alike(def, v starlark.Value) bool {
	return def.Type() == v.Type() || number(def) && number(v) || sequence(def) && sequence(v)
}

func number(v starlark.Value) bool {
	return v.Type() == "int" || v.Type() == "float"
}

func sequence(v starlark.Value) bool {
	return v.Type() == "list" || v.Type() == "tuple"
}

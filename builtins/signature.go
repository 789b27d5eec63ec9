package builtins

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

// A builtin is one word of the vocabulary: its signature as the reference
// prints it, one sentence of documentation, and the constructor.
type builtin struct {
	signature string // "value(size, compressible=0)"; a default is shown only, the constructor applies it
	doc       string
	make      func(*call) (starlark.Value, error)
	methods   []builtin // of the value that it makes
	defers    bool      // may hold per_cluster choices, and is then made once for each cluster
	extra     bool      // takes further named arguments, which the constructor checks
}

// name is the word itself.
func (b *builtin) name() string {
	name, _, _ := strings.Cut(b.signature, "(")
	return name
}

// A param is one parameter of a signature.
type param struct {
	name     string
	required bool
}

// params reads the signature. Signatures are constants of this package whose
// defaults hold no comma.
func (b *builtin) params() []param {
	_, list, _ := strings.Cut(strings.TrimSuffix(b.signature, ")"), "(")
	var out []param
	for word := range strings.SplitSeq(list, ", ") {
		if word == "" || strings.HasPrefix(word, "**") {
			continue
		}
		name, _, optional := strings.Cut(word, "=")
		out = append(out, param{name, !optional})
	}
	return out
}

// value makes the Starlark function. recv is the value whose method it is.
func (b builtin) value(recv starlark.Value) *starlark.Builtin {
	params := b.params()
	return starlark.NewBuiltin(b.name(), func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		c := &call{fn: &b, params: params, recv: recv, thread: thread, site: siteOf(thread)}
		if err := c.bind(args, kwargs); err != nil {
			return nil, err
		}
		if b.defers && (hasChoice(recv) || slices.ContainsFunc(c.values, hasChoice)) {
			return &deferred{call: c}, nil
		}
		return c.run()
	})
}

// bind matches arguments with parameters and copies them, so that what the
// author does with a list afterwards changes nothing here.
func (c *call) bind(args starlark.Tuple, kwargs []starlark.Tuple) error {
	c.values = make([]starlark.Value, len(c.params))
	if len(args) > len(c.params) {
		return &ArgError{Pos: c.site.pos, Index: len(c.params), Text: fmt.Sprintf("%s: got %d arguments by position, takes at most %d", c.fn.name(), len(args), len(c.params))}
	}
	for i, v := range args {
		c.values[i] = v
		if !c.site.library {
			c.site.positional = append(c.site.positional, c.params[i].name)
		}
	}
	for _, kw := range kwargs {
		if err := c.bindNamed(string(kw[0].(starlark.String)), kw[1]); err != nil {
			return err
		}
	}
	for i, p := range c.params {
		if p.required && c.values[i] == nil {
			return &ArgError{Pos: c.site.pos, Index: -1, Text: fmt.Sprintf("%s: argument %s is missing", c.fn.name(), p.name)}
		}
		if c.values[i] == nil {
			continue
		}
		v, err := frozenCopy(c.values[i], maxDepth)
		if err != nil {
			return c.blame(p.name, "%v", err)
		}
		c.values[i] = v
	}
	return nil
}

func (c *call) bindNamed(name string, v starlark.Value) error {
	i := slices.IndexFunc(c.params, func(p param) bool { return p.name == name })
	switch {
	case i >= 0 && c.values[i] != nil:
		return c.blame(name, "argument %s is given twice", name)
	case i >= 0:
		c.values[i] = v
	case c.fn.extra:
		c.named = append(c.named, field{name, v})
	default:
		names := make([]string, len(c.params))
		for i, p := range c.params {
			names[i] = p.name
		}
		return c.blame(name, "unexpected argument %s%s", name, plan.DidYouMean(name, names))
	}
	return nil
}

// maxDepth bounds how deeply lists and dicts given to a builtin are nested,
// and so ends the walk through one that holds itself.
const maxDepth = 20

// frozenCopy copies lists, tuples and dicts and leaves other values as they
// are.
func frozenCopy(v starlark.Value, depth int) (starlark.Value, error) {
	if depth == 0 {
		return nil, fmt.Errorf("lists and dicts are nested more than %d deep", maxDepth)
	}
	return mapElements(v, func(e starlark.Value) (starlark.Value, error) { return frozenCopy(e, depth-1) })
}

// mapElements makes a frozen list, tuple or dict of fn of each element. Other
// values are returned as they are.
func mapElements(v starlark.Value, fn func(starlark.Value) (starlark.Value, error)) (starlark.Value, error) {
	switch v := v.(type) {
	case *starlark.List:
		elems := make([]starlark.Value, v.Len())
		for i := range elems {
			e, err := fn(v.Index(i))
			if err != nil {
				return nil, err
			}
			elems[i] = e
		}
		l := starlark.NewList(elems)
		l.Freeze()
		return l, nil
	case starlark.Tuple:
		t := make(starlark.Tuple, len(v))
		for i := range v {
			e, err := fn(v[i])
			if err != nil {
				return nil, err
			}
			t[i] = e
		}
		return t, nil
	case *starlark.Dict:
		d := starlark.NewDict(v.Len())
		for _, item := range v.Items() {
			e, err := fn(item[1])
			if err != nil {
				return nil, err
			}
			if err := d.SetKey(item[0], e); err != nil {
				return nil, err
			}
		}
		d.Freeze()
		return d, nil
	}
	return v, nil
}

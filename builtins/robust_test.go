package builtins_test

import (
	"errors"
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/builtins"
)

// oddValues are values of every type that a script can put anywhere.
func oddValues(t *testing.T) []starlark.Value {
	t.Helper()
	globals, _, err := exec("odd.star", `
k = keys(10)
values = [
    None, True, -1, 0, 2.5, 1e300, "", "x", b"x", [], [1, "x"], [[]], {}, {"a": None}, {1: 2}, set([1]), range(3), (1, k),
    5 * second, -second, k, k.one(), value(3), get(k.one()), mix([(1, get(k.one()))]), steps([1]), steps(["x"]), ramp(1, 2, over = second),
    phase("p", get(k.one())), below(3), stores, stores["mem"], stores["mem"](), lambda: 1, lambda r: r.ok, len, struct(a = 1),
    per_cluster({"mem": 1}), per_cluster({}), value(per_cluster({"mem": "x"})), find("x"), node("a"), process("p", ["x"]), tls(), signal("INT"),
    [phase("p", get(k.one()), requests = 1), per_cluster({"mem": 5})], keys(per_cluster({"mem": 1})), keys(per_cluster({"mem": 1})).one(),
]
`, nil)
	if err != nil {
		t.Fatal(explain(err))
	}
	var out []starlark.Value
	list := globals["values"].(*starlark.List)
	for i := range list.Len() {
		out = append(out, list.Index(i))
	}
	return out
}

// Whatever is given to a word, by whatever argument, gives a value or an error
// that blames an argument; and what it gives can be printed and read.
func TestOddArguments(t *testing.T) {
	values := oddValues(t)
	vocabulary := builtins.Vocabulary(specs(), builtins.Stores(nil, nil))
	for _, word := range builtins.Reference() {
		name, params := signature(word.Signature)
		fn := vocabulary[name]
		for _, odd := range values {
			for i := range params {
				for _, other := range []starlark.Value{odd, starlark.String("x"), starlark.MakeInt(2)} {
					var kwargs []starlark.Tuple
					for j, p := range params {
						v := other
						if j == i {
							v = odd
						}
						kwargs = append(kwargs, starlark.Tuple{starlark.String(p), v})
					}
					v, err := starlark.Call(&starlark.Thread{}, fn, nil, kwargs)
					tryValue(t, word.Signature, v, err)
				}
			}
		}
	}
}

func tryValue(t *testing.T, what string, v starlark.Value, err error) {
	t.Helper()
	if err != nil {
		if _, ok := errors.AsType[*builtins.ArgError](err); !ok && !strings.HasPrefix(what, "cluster(") {
			t.Errorf("%s: an error that blames nothing: %v", what, err)
		}
		return
	}
	_ = v.String()
	attrs, ok := v.(starlark.HasAttrs)
	if !ok {
		return
	}
	for _, name := range attrs.AttrNames() {
		if _, err := attrs.Attr(name); err != nil {
			t.Errorf("%s: .%s: %v", what, name, err)
		}
	}
	if _, _, err := builtins.Build(v, specs()); err == nil && v.Type() != "scenario" {
		t.Errorf("%s passes for a scenario", what)
	}
}

// Whatever a choice holds, in whatever argument of a phase, gives a plan or a
// problem.
func TestOddChoices(t *testing.T) {
	for _, param := range []string{"name", "ops", "clients", "connections", "rate", "requests", "duration", "warmup", "timeout", "max_errors", "role", "background", "fresh"} {
		for _, odd := range oddValues(t) {
			globals, thread, err := exec("odd.star", `
def main():
    args = dict(name = "p", ops = get(keys(1).one()), requests = 5)
    args["`+param+`"] = per_cluster({"mem": odd})
    return scenario([stores["mem"]()], [parallel([phase(**args)])])
`, starlark.StringDict{"odd": odd})
			if err != nil {
				t.Fatal(explain(err))
			}
			v, err := starlark.Call(thread, globals["main"], nil, nil)
			if err != nil {
				t.Fatal(explain(err))
			}
			s, problems, err := builtins.Build(v, specs())
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range problems {
				if p.Pos.Line == 0 {
					t.Errorf("%s = %v: a problem without a place: %s", param, odd, p.Text)
				}
			}
			if len(problems) == 0 && (s.Plan.Hash() == "" || s.Plan.Estimate().String() == "") {
				t.Errorf("%s = %v: no hash or estimate", param, odd)
			}
		}
	}
}

// signature splits "value(size, compressible=0)" into its name and parameters.
func signature(s string) (name string, params []string) {
	name, list, _ := strings.Cut(strings.TrimSuffix(s, ")"), "(")
	for word := range strings.SplitSeq(list, ", ") {
		p, _, _ := strings.Cut(word, "=")
		if p != "" && !strings.HasPrefix(p, "**") {
			params = append(params, p)
		}
	}
	return name, params
}

// Every word is documented, and none that is kept for later is taken.
func TestReference(t *testing.T) {
	vocabulary := builtins.Vocabulary(specs(), builtins.Stores(nil, nil))
	for _, word := range append(builtins.Reference(), builtins.ResultReference()) {
		name, _ := signature(word.Signature)
		if vocabulary[name] == nil && name != "r" || !strings.HasSuffix(word.Doc, ".") {
			t.Errorf("%s: %q", name, word.Doc)
		}
		for _, m := range word.Methods {
			if !strings.HasSuffix(m.Doc, ".") {
				t.Errorf("%s.%s: %q", name, m.Signature, m.Doc)
			}
		}
	}
	for _, kept := range []string{"watch", "lock", "lease", "elect", "events", "verify", "find_rate", "assert", "plan", "fake_result"} {
		if vocabulary[kept] != nil {
			t.Errorf("%s is kept for later", kept)
		}
	}
}

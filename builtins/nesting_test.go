package builtins_test

import (
	"strings"
	"testing"

	"go.starlark.net/starlark"
)

// TestNesting gives values of many levels to what goes down one call a level.
func TestNesting(t *testing.T) {
	values := map[string]string{"list": "[x]", "tuple": "(x,)", "dict": `{"k": x}`, "struct": "struct(k = x)", "mixed": "(1, [x, x])"}
	for _, call := range []string{"str(x)", "repr(x)", "print(x)", "json.encode(x)", "json.encode_indent(x)", "fail(x)"} {
		for kind, more := range values {
			for levels, deep := range map[string]bool{"200": false, "2000": true} {
				if kind == "mixed" && !deep {
					continue // as it doubles with each level, it is too long to be printed
				}
				_, _, err := exec("deep.star", "def f():\n    x = 0\n    for i in range("+levels+"):\n        x = "+more+"\n    "+call+"\nf()\n", nil)
				refused := err != nil && strings.Contains(err.Error(), "nested more than 500 deep")
				if refused != deep || err != nil && !refused && !strings.HasPrefix(call, "fail") {
					t.Errorf("%s of a %s of %s levels: %.100v", call, kind, levels, err)
				}
			}
		}
	}
}

// The levels are those of the whole value, however its parts are shared.
func TestNestingOfSharedParts(t *testing.T) {
	_, _, err := exec("deep.star", `
def nest(x, levels):
    for i in range(levels):
        x = [x]
    return x

def f():
    part = nest(0, 300)
    eq(len(str([part, part, nest(0, 100)])), 2 * 601 + 201 + 6)
    pair = (part, 5)
    eq(str((pair[1:], pair))[:6], "((5,),")
    str([part, nest(part, 300)])
f()
`, starlark.StringDict{"eq": starlark.NewBuiltin("eq", eq)})
	if err == nil || !strings.Contains(explain(err), "str: the value is nested more than 500 deep") || !strings.Contains(explain(err), "deep.star:12") {
		t.Errorf("got %v, want a refusal in line 12", err)
	}
}

func TestJSON(t *testing.T) {
	for text, want := range map[string]string{
		`json.decode("[" * 10000000)`:                                "json.decode: a text of 10000000 bytes is too long (at most 1 MiB)",
		`json.decode("[" * 501 + "]" * 501)`:                         "json.decode: the text is nested more than 500 deep",
		`json.decode("{\"a\":" * 501, "d")`:                          "json.decode: the text is nested more than 500 deep",
		`eq(len(json.decode("[" * 500 + "]" * 500)), 1)`:             "",
		`eq(json.decode('["' + "[" * 600 + '\\"["]')[0][-2:], '"[')`: "",
		`eq(len(json.decode("[" + "[]," * 600 + "1]")), 601)`:        "",
		`eq(json.decode("[", "d"), "d")`:                             "",
		`eq(json.indent("[1]"), "[\n\t1\n]")`:                        "",
		`json.decode("[")`:                                           "json.decode: at offset 1, unexpected end of file",
	} {
		_, _, err := exec("json.star", text, starlark.StringDict{"eq": starlark.NewBuiltin("eq", eq)})
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

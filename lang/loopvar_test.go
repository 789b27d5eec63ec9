package lang

import (
	"context"
	"testing"

	"go.starlark.net/starlark"
)

// TestLoopVariable tells what a loop binds around a function from whatever else
// the function sees.
func TestLoopVariable(t *testing.T) {
	for body, want := range map[string]string{
		"for n in [1]:\n        f = lambda: n":                            "n",
		"for k, (m, n) in [(1, (2, 3))]:\n        f = lambda: n":          "n",
		"for n in [1]:\n        for m in [2]:\n            f = lambda: n": "n",
		"for n in [1]:\n        def f():\n            return n":           "n",
		"f = [lambda: n for n in [1]][0]":                                 "n",
		"f = {n: lambda: m for n in [1] if n for m in [2]}[1]":            "m",
		"for n in [1]:\n        f = lambda n = n: n":                      "",
		"for n in [1]:\n        f = lambda: [n for n in [2]]":             "",
		"for n in [1]:\n        f = lambda: 5":                            "",
		"for n in [1]:\n        pass\n    f = lambda: n":                  "",
		"n = [n for n in [1]][0]\n    f = lambda: n":                      "",
		"for n in [1]:\n        f = (lambda m: lambda: m)(n)":             "",
		"x = 1\n    for n in [1]:\n        f = lambda: x":                 "",
		"for n in [1]:\n        f = len":                                  "",
	} {
		file, err := Load(context.Background(), script(t, "def main():\n    "+body+"\n    return f\n"), testConfig())
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		v, err := file.Call(context.Background(), file.Main(), nil, nil)
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		if name, ok := file.LoopVariable(v.(starlark.Callable)); name != want || ok != (want != "") {
			t.Errorf("%s: %q, want %q", body, name, want)
		}
	}
}

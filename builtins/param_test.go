package builtins_test

import (
	"testing"
	"time"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/builtins"
)

func TestParseParam(t *testing.T) {
	ints := starlark.NewList([]starlark.Value{starlark.MakeInt(1)})
	strs := starlark.NewList([]starlark.Value{starlark.String("a")})
	second := builtins.Duration(time.Second)
	dict := starlark.NewDict(0)
	for _, c := range []struct {
		text string
		def  starlark.Value
		want string // as Starlark prints it; empty: refused
	}{
		{"5", starlark.MakeInt(1), "5"},
		{"0.5M", starlark.MakeInt(1), "500000"},
		{"1 * M", starlark.MakeInt(1), "1000000"},
		{"8GiB", starlark.MakeInt(1), "8589934592"},
		{"9007199254740993", starlark.MakeInt(1), "9007199254740993"},
		{"-3", starlark.MakeInt(1), "-3"},
		{"0.5", starlark.MakeInt(1), ""},
		{"five", starlark.MakeInt(1), ""},
		{"1Q", starlark.MakeInt(1), ""},
		{"1KKK", starlark.MakeInt(1), ""},
		{"", starlark.MakeInt(1), ""},
		{"1e400", starlark.Float(1), ""},
		{"NaN", starlark.Float(1), ""},
		{"0.25", starlark.Float(1), "0.25"},
		{"2", starlark.Float(1), "2"},
		{"true", starlark.False, "True"},
		{"maybe", starlark.False, ""},
		{"[1]", starlark.String(""), `"[1]"`},
		{"1m30s", second, "1m30s"},
		{"5 * second", second, "5s"},
		{"5", second, ""},
		{"1,10,100", ints, "[1, 10, 100]"},
		{"1K, 2K", ints, "[1000, 2000]"},
		{"[1, 2 * K]", ints, "[1, 2000]"},
		{"[1, \"a\"]", ints, ""},
		{"", ints, "[]"},
		{"etcd,mem", strs, `["etcd", "mem"]`},
		{"[\"etcd\"]", strs, `["etcd"]`},
		{"[len(\"a\")]", strs, ""},
		{"[[", strs, ""},
		{`{"etcd": 1 * K}`, dict, `{"etcd": 1000}`},
		{`{[1]: 2}`, dict, ""},
		{"[1]", dict, ""},
		{"1", starlark.None, ""},
		{"1", nil, ""},
	} {
		got, err := builtins.ParseParam(c.text, c.def)
		switch {
		case err != nil && c.want != "":
			t.Errorf("%q: %v", c.text, err)
		case err == nil && got.String() != c.want:
			t.Errorf("%q: got %s, want %q", c.text, got, c.want)
		}
	}
}

func FuzzParseParam(f *testing.F) {
	for _, text := range []string{"1", "0.5M", "1m30s", "[1, (2,), {3: 4}]", "-1 * K", "a,b", "{", "1<<9"} {
		f.Add(text)
	}
	defaults := []starlark.Value{
		starlark.MakeInt(1), starlark.Float(1), starlark.True, starlark.String(""), builtins.Duration(1),
		starlark.NewList([]starlark.Value{starlark.MakeInt(1)}), starlark.NewList(nil), starlark.NewDict(0), starlark.Tuple{},
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, def := range defaults {
			v, err := builtins.ParseParam(text, def)
			if (v == nil) == (err == nil) {
				t.Fatalf("%q as %s: got %v and %v", text, def.Type(), v, err)
			}
		}
	})
}

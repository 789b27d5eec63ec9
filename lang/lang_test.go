package lang

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// refusal is an error of a builtin that knows the argument to blame.
type refusal struct {
	name  string
	index int
}

func (r *refusal) Error() string            { return "refuse: no" }
func (r *refusal) BlamesArg() (string, int) { return r.name, r.index }

// refuse(value, other) refuses its last argument.
func refuse(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if n := len(kwargs); n > 0 {
		return nil, &refusal{string(kwargs[n-1][0].(starlark.String)), -1}
	}
	return nil, &refusal{"value", len(args) - 1}
}

func answer(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	return starlark.MakeInt(42), nil
}

func testConfig() Config {
	return Config{
		Predeclared: starlark.StringDict{
			"answer": starlark.NewBuiltin("answer", answer),
			"refuse": starlark.NewBuiltin("refuse", refuse),
			"record": starlarkstruct.FromStringDict(starlark.String("record"), starlark.StringDict{"name": starlark.String("n")}),
		},
		Std:      os.DirFS("testdata/std"),
		MaxSteps: 200_000,
	}
}

// script writes files (the first is the entry) into a folder of its own.
func script(t testing.TB, text string, others ...string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.star"), text)
	for i := 0; i+1 < len(others); i += 2 {
		write(t, filepath.Join(dir, others[i]), others[i+1])
	}
	return filepath.Join(dir, "main.star")
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// evaluate loads a script and calls its main, if it has one without mandatory
// parameters.
func evaluate(path string, cfg Config) (starlark.Value, error) {
	ctx := context.Background()
	f, err := Load(ctx, path, cfg)
	if err != nil {
		return nil, err
	}
	if f.Main() == nil {
		return starlark.None, nil
	}
	for _, p := range f.Params {
		if p.Default == nil {
			return starlark.None, nil
		}
	}
	return f.Call(ctx, f.Main(), nil, nil)
}

// diagnostics are those of an error; the test ends if it is another one.
func diagnostics(t testing.TB, err error) Diagnostics {
	t.Helper()
	var ds *Diagnostics
	if !errors.As(err, &ds) {
		t.Fatalf("error of type %T, want *Diagnostics: %v", err, err)
	}
	return *ds
}

func TestLoad(t *testing.T) {
	path := script(t, `"""A title.

Some text,
  indented.
"""
load("sub/part.star", "three", four = "four_times")
load("@std//library.star", "twice")

def main(a = 1, b = [1, "x"], *, c):
    """
    Args:
      a: the first
      b: the second,
        on two lines
      c: the third: with a colon

    Returns: nothing
    """
    print("a is", a)
    a *= 3
    a += 0.5 * 2
    return [a, three, four * 2, twice(times = 4), set([1, 1])]
`, "sub/part.star", "load(\"../other.star\", \"vier\")\nthree = 3\nfour_times = vier\n", "other.star", "vier = 4\n")
	var out printed
	cfg := testConfig()
	cfg.Print = &out
	f, err := Load(context.Background(), path, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if want := "A title.\n\nSome text,\n  indented."; f.Doc != want {
		t.Errorf("Doc = %q, want %q", f.Doc, want)
	}
	var got string
	for _, p := range f.Params {
		got += fmt.Sprintf("%s=%v: %s\n", p.Name, p.Default, p.Doc)
	}
	if want := "a=1: the first\nb=[1, \"x\"]: the second, on two lines\nc=<nil>: the third: with a colon\n"; got != want {
		t.Errorf("Params =\n%s, want\n%s", got, want)
	}
	kwargs := []starlark.Tuple{{starlark.String("c"), starlark.None}}
	v, err := f.Call(context.Background(), f.Main(), nil, kwargs)
	if err != nil {
		t.Fatal(err)
	}
	if want := "[4.0, 3, 8, 8, set([1])]"; v.String() != want {
		t.Errorf("main() = %v, want %s", v, want)
	}
	if out != "a is 1\n" {
		t.Errorf("printed %q", out)
	}
	var names []string
	for _, s := range f.Sources() {
		names = append(names, s.Name)
		if len(s.Hash) != 64 || s.Text == "" {
			t.Errorf("source %s: hash %q, %d bytes of text", s.Name, s.Hash, len(s.Text))
		}
	}
	if want := "[main.star sub/part.star other.star @std//library.star]"; fmt.Sprint(names) != want {
		t.Errorf("Sources = %v, want %s", names, want)
	}
	if got := f.SourceLine(path, 6); got != `load("sub/part.star", "three", four = "four_times")` {
		t.Errorf("SourceLine = %q", got)
	}
}

type printed string

func (p *printed) Write(b []byte) (int, error) {
	*p += printed(b)
	return len(b), nil
}

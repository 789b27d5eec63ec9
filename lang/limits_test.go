package lang

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.starlark.net/starlark"
)

// TestRunaway ends scripts by each of the limits, at a line of the script.
func TestRunaway(t *testing.T) {
	endless := "def main():\n    for i in [j for j in range(9000) for k in range(9000)]:\n        pass\n"
	tests := []struct {
		name, text string
		cfg        func(*Config)
		line       int
		want       string
	}{
		{"steps", endless, func(c *Config) { c.MaxSteps = 1000 }, 2, "ended after 1000 steps"},
		{"clock", endless, func(c *Config) { c.Timeout, c.MaxSteps = 50*time.Millisecond, 1<<62 }, 0, "ended after 50ms"},
		{
			"memory by doubling", "def main():\n    s = \"x\"\n    for i in range(100):\n        s += s\n",
			func(c *Config) { c.MaxMemory = 32 << 20 }, 0, "its values take more than 32 MiB",
		},
		{
			"memory by a list", "def main():\n    l = []\n    for i in range(1 << 24):\n        l.append(\"x\" * 10000)\n",
			func(c *Config) { c.MaxMemory, c.MaxSteps = 32<<20, 1<<62 }, 0, "its values take more than 32 MiB",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cfg := testConfig()
			tt.cfg(&cfg)
			_, err := evaluate(script(t, tt.text), cfg)
			d := diagnostics(t, err)[0]
			if !strings.Contains(d.Msg, tt.want) || d.Line == 0 || tt.line != 0 && d.Line != tt.line {
				t.Errorf("got %v, want %q at line %d", d, tt.want, tt.line)
			}
		})
	}
}

// TestStuck gives up a builtin that does not return, and the file with it.
func TestStuck(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	cfg := testConfig()
	cfg.Timeout = 20 * time.Millisecond
	cfg.Predeclared["answer"] = starlark.NewBuiltin("answer", func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
		<-release
		return starlark.None, nil
	})
	f, err := Load(context.Background(), script(t, "\ndef main():\n    return answer()\n"), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"in a single operation that can't be interrupted", "an earlier evaluation of this script never ended"} {
		_, err := f.Call(context.Background(), f.Main(), nil, nil)
		if d := diagnostics(t, err)[0]; !strings.Contains(d.Msg, want) || d.Line != 2 {
			t.Errorf("got %v, want %q", d, want)
		}
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("interrupted"))
	cfg := testConfig()
	cfg.MaxSteps = 1 << 62
	_, err := Load(ctx, script(t, "x = [i for i in range(1 << 20) for j in range(1 << 20)]\n"), cfg)
	if err == nil || !strings.Contains(err.Error(), "the script was ended: interrupted") {
		t.Errorf("error %v, want the cause of the cancellation", err)
	}
}

// A panic of a builtin is a diagnostic too.
func TestPanic(t *testing.T) {
	cfg := testConfig()
	cfg.Predeclared["answer"] = starlark.NewBuiltin("answer", func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
		panic("oh no")
	})
	_, err := evaluate(script(t, "def main():\n    return answer()\n"), cfg)
	if d := diagnostics(t, err)[0]; d.Line == 0 || !strings.Contains(d.Msg, "internal error: oh no") {
		t.Errorf("got %v", d)
	}
}

// TestProducts: what is not too large comes out as without the measuring.
func TestProducts(t *testing.T) {
	v, err := evaluate(script(t, `
def main():
    x, l, d = 3, [1, 2], {"n": 4}
    x *= 2 * x
    l *= 2
    d["n"] *= 1.5
    both = 2 * l
    return [x, l, d, both, "ab" * 2, 2 * "ab", (1,) * 3, 2 * 0.5, -2 * 3, "x" * -1, [] * (1 << 70), (1 << 500) * 2 > 0]
`), testConfig())
	if err != nil {
		t.Fatal(err)
	}
	want := `[18, [1, 2, 1, 2], {"n": 6.0}, [1, 2, 1, 2, 1, 2, 1, 2], "abab", "abab", (1, 1, 1), 1.0, -6, "", [], True]`
	if v.String() != want {
		t.Errorf("got  %v\nwant %s", v, want)
	}
}

// TestHuge refuses, at their place, calls whose result would not fit into memory.
func TestHuge(t *testing.T) {
	long := `("a" * 1000000)`
	for expr, want := range map[string]string{
		"list(range(1 << 36))":                     "6:20: range: 68719476736 numbers are more than a script can go through (at most 16777216)",
		"max(range(1 << 60))":                      "6:19: range: 1152921504606846976 numbers",
		"zip(range(1000000), range(2000000))":      "6:9: zip: the result is too large: 1000000 times 2 values (at most 1048576)",
		"zip(*[range(1000)] * 2000)":               "6:13: zip: the result is too large: 1000 times 2000 values",
		long + `.replace("a", "b" * 1000)`:         "6:25: replace: the result is too large: 1000000 times a string of 1000 bytes (at most 16 MiB)",
		long + `.replace("", "b" * 1000)`:          "6:25: replace: the result is too large: 1000001 times",
		`"abc".replace("b", "dd") + 1`:             "6:34: string + int",
		`struct.replace(2) + 1`:                    "6:27: string + int",
		`"abc".replace("b")`:                       "6:23: replace: got 1 arguments, want at least 2",
		`[zip([1], ["a"])] + [list(range(2))] + 1`: "6:46: list + int",
	} {
		cfg := testConfig()
		cfg.Predeclared["struct"] = replacer{starlark.None}
		_, err := evaluate(script(t, "\n\n\n\ndef main():\n    x = "+expr+"\n"), cfg)
		d := diagnostics(t, err)[0]
		if got := fmt.Sprintf("%d:%d: %s", d.Line, d.Col, d.Msg); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s\nwant %s", expr, got, want)
		}
	}
}

// replacer is a value with a field called replace, which is no method of a string.
type replacer struct{ starlark.Value }

func (replacer) AttrNames() []string { return []string{"replace"} }

func (replacer) Attr(name string) (starlark.Value, error) {
	return starlark.NewBuiltin(name, func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
		return starlark.String("x"), nil
	}), nil
}

func TestNearest(t *testing.T) {
	names := []string{"clients", "requests", "rate", "keys", "get"}
	for name, want := range map[string]string{
		"cleints": "clients", "Clients": "clients", "client": "clients", "request": "requests",
		"rtae": "rate", "key": "keys", "gte": "get", "x": "", "latency": "", "": "", "clients": "",
	} {
		if got := Nearest(name, names); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestLocate(t *testing.T) {
	path := script(t, "x = answer(\n    1,\n    second = 22,\n)\n")
	f, err := Load(context.Background(), path, testConfig())
	if err != nil {
		t.Fatal(err)
	}
	place := func(name string) int { return map[string]int{"answer": 0}[name] }
	tests := []struct {
		arg, msg         string
		index            func(string) int
		line, col, width int
	}{
		{"", "no", nil, 1, 5, 6},
		{"second", "no", nil, 3, 14, 2},
		{"second", "unexpected argument", nil, 3, 5, 6},
		{"first", "no", nil, 1, 5, 6},
		{"first", "no", place, 2, 5, 1},
	}
	for _, tt := range tests {
		d := f.Locate(path, 1, 11, tt.arg, tt.msg, tt.index)
		if d.Line != tt.line || d.Col != tt.col || d.Width != tt.width || d.Msg != tt.msg {
			t.Errorf("Locate(%q, %q) = %+v, want %d:%d, width %d", tt.arg, tt.msg, d, tt.line, tt.col, tt.width)
		}
	}
	if d := f.Locate("elsewhere.star", 3, 4, "", "no", nil); d.Line != 3 || d.Col != 4 {
		t.Errorf("Locate in an unknown file = %+v", d)
	}
}

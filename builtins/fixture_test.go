package builtins_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/kvscen/kvscen/builtins"
	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/stdlib"
)

// specs declare a store that can do everything and one that can do little.
func specs() []drivers.Spec {
	reads := []drivers.Consistency{
		{Name: "linearizable", Strong: true, RPCs: "1 Range (linearizable)"},
		{Name: "serializable", Weak: true, RPCs: "1 Range (serializable)"},
	}
	all := drivers.Spec{Name: "etcd", Secure: true, Limits: drivers.Limits{Key: 1000, Value: 1 << 20, Txn: 3}}
	for k := drivers.Put; k <= drivers.Exists; k++ {
		info := drivers.OpInfo{Kind: k, RPCs: "1 " + k.String(), Limit: true, TTL: k == drivers.Put, KeysOnly: k == drivers.Scan, Entries: k == drivers.Scan}
		if k == drivers.Get || k == drivers.Scan || k == drivers.Exists {
			info.Consistencies = reads
		}
		all.Ops = append(all.Ops, info)
	}
	all.Options = []drivers.Option{{Name: "buffer", Default: int64(1)}, {Name: "fail_fast", Default: false}}
	return []drivers.Spec{all, {
		Name: "mem", InProcess: true,
		Ops: []drivers.OpInfo{{Kind: drivers.Put, RPCs: "1 call"}, {Kind: drivers.Get, RPCs: "1 call"}, {Kind: drivers.Scan, RPCs: "1 call"}},
		Options: []drivers.Option{
			{Name: "service", Default: time.Duration(0)}, {Name: "jitter", Default: time.Duration(0)},
			{Name: "stall_every", Default: int64(0)}, {Name: "stall_for", Default: time.Duration(0)},
			{Name: "error_rate", Default: 0.0, Max: 1}, {Name: "loss_rate", Default: 0.0},
			{Name: "corrupt_rate", Default: 0.0}, {Name: "misread_rate", Default: 0.0},
			{Name: "keep", Default: true}, {Name: "value", Default: int64(1024)},
		},
	}}
}

// exec evaluates a file with the whole vocabulary and the standard library.
func exec(name, text string, more starlark.StringDict) (starlark.StringDict, *starlark.Thread, error) {
	thread := &starlark.Thread{Name: name}
	thread.SetMaxExecutionSteps(10_000_000)
	words := builtins.Vocabulary(specs(), builtins.Stores(stdlib.Recipes(), func(thread *starlark.Thread, store string) (starlark.Value, error) {
		globals, err := thread.Load(thread, "@std//"+store+".star")
		if err != nil {
			return nil, err
		}
		return globals[store], nil
	}))
	for k, v := range more {
		words[k] = v
	}
	options := &syntax.FileOptions{Set: true}
	thread.Load = func(thread *starlark.Thread, module string) (starlark.StringDict, error) {
		src, err := fs.ReadFile(stdlib.Files(), strings.TrimPrefix(module, "@std//"))
		if err != nil {
			return nil, err
		}
		globals, err := starlark.ExecFileOptions(options, &starlark.Thread{Name: module, Load: thread.Load}, module, src, words)
		if err != nil {
			return nil, err
		}
		return globals, nil
	}
	globals, err := starlark.ExecFileOptions(options, thread, name, text, words)
	return globals, thread, err
}

// build evaluates a file, calls its main and builds the plan.
func build(t *testing.T, text string) (*builtins.Scenario, []string) {
	t.Helper()
	globals, thread, err := exec("test.star", text, nil)
	if err != nil {
		t.Fatalf("evaluating: %v", explain(err))
	}
	v, err := starlark.Call(thread, globals["main"], nil, nil)
	if err != nil {
		t.Fatalf("calling main: %v", explain(err))
	}
	s, problems, err := builtins.Build(v, specs())
	if err != nil {
		t.Fatalf("building: %v", err)
	}
	var texts []string
	for _, p := range problems {
		texts = append(texts, fmt.Sprintf("%d: %s", p.Pos.Line, p.Text))
	}
	return s, texts
}

func explain(err error) string {
	if e, ok := errors.AsType[*starlark.EvalError](err); ok {
		return e.Backtrace()
	}
	return err.Error()
}

// TestChunks runs the files of testdata. A file is chunks divided by lines of
// three dashes. A line that ends in ### "regexp" must have an error or a
// problem that matches; no other line may have one.
func TestChunks(t *testing.T) {
	files, err := filepath.Glob("testdata/*.star")
	if err != nil || len(files) == 0 {
		t.Fatalf("no chunk files: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		line := 1
		for chunk := range strings.SplitSeq(string(data), "\n---\n") {
			t.Run(fmt.Sprintf("%s:%d", filepath.Base(file), line), func(t *testing.T) {
				runChunk(t, strings.Repeat("\n", line-1)+chunk)
			})
			line += strings.Count(chunk, "\n") + 2
		}
	}
}

func runChunk(t *testing.T, text string) {
	want := wanted(t, text)
	for line, got := range failures(t, text) {
		for _, g := range got {
			re, ok := want[line]
			if !ok {
				t.Errorf("line %d: unexpected: %s", line, g)
			} else if !re.MatchString(g) {
				t.Errorf("line %d: got %q, want a match of %q", line, g, re)
			}
		}
		delete(want, line)
	}
	for line, re := range want {
		t.Errorf("line %d: nothing failed; want a match of %q", line, re)
	}
}

var wantPattern = regexp.MustCompile(`### (".*")\s*$`)

func wanted(t *testing.T, text string) map[int]*regexp.Regexp {
	want := map[int]*regexp.Regexp{}
	line := 0
	for l := range strings.SplitSeq(text, "\n") {
		line++
		m := wantPattern.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		pattern, err := strconv.Unquote(m[1])
		if err != nil {
			t.Fatalf("line %d: %v", line, err)
		}
		want[line] = regexp.MustCompile(pattern)
	}
	return want
}

// failures evaluates a chunk and gives what is wrong by line.
func failures(t *testing.T, text string) map[int][]string {
	out := map[int][]string{}
	globals, thread, err := exec("chunk.star", text, starlark.StringDict{"eq": starlark.NewBuiltin("eq", eq)})
	var v starlark.Value
	if main, ok := globals["main"]; err == nil && ok {
		v, err = starlark.Call(thread, main, nil, nil)
	}
	if err != nil {
		out[lineOf(t, err)] = []string{lastOf(err)}
		return out
	}
	if v == nil {
		return out
	}
	_, problems, err := builtins.Build(v, specs())
	if err != nil {
		t.Fatalf("building: %v", err)
	}
	for _, p := range problems {
		out[p.Pos.Line] = append(out[p.Pos.Line], p.Text)
	}
	return out
}

// eq compares two values, and what they print.
func eq(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 2 {
		return nil, fmt.Errorf("eq: want two values")
	}
	if same, err := starlark.Equal(args[0], args[1]); err != nil || !same {
		return nil, fmt.Errorf("got %v (%s), want %v (%s)", args[0], args[0].Type(), args[1], args[1].Type())
	}
	return starlark.None, nil
}

// lineOf is the place that an ArgError blames, or that of the innermost frame
// of the chunk.
func lineOf(t *testing.T, err error) int {
	if a, ok := errors.AsType[*builtins.ArgError](err); ok {
		return a.Pos.Line
	}
	e, ok := errors.AsType[*starlark.EvalError](err)
	if !ok {
		t.Fatalf("no place: %v", err)
	}
	for i := range e.CallStack {
		if pos := e.CallStack.At(i).Pos; pos.Filename() == "chunk.star" {
			return int(pos.Line)
		}
	}
	t.Fatalf("no place in the chunk: %v", e.Backtrace())
	return 0
}

func lastOf(err error) string {
	if a, ok := errors.AsType[*builtins.ArgError](err); ok {
		return a.Text
	}
	return err.Error()
}

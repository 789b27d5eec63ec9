package scenario

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
	"github.com/kvscen/kvscen/lang"
)

// options know one store, which puts and gets.
func options(set ...string) Options {
	return Options{Set: set, Specs: []drivers.Spec{{
		Name: "etcd",
		Ops: []drivers.OpInfo{
			{Kind: drivers.Put, RPCs: "1 Put"},
			{Kind: drivers.Get, RPCs: "1 Range"},
		},
		Options: []drivers.Option{{Name: "clients_note", Default: "", Doc: "nothing"}},
	}}}
}

const good = `"""Write some keys.

More text.
"""

def main(requests = 1000, clients = [1, 10], every = 5 * second, name = "write", half = 0.5, strict = True):
    """
    Args:
      requests: keys to write
      clients: one step for each
    """
    records = keys(requests, size = 32)
    return scenario(
        clusters = [cluster("etcd", endpoints = ["127.0.0.1:2379"])],
        phases = [phase(name, ops = put(records.sequential(), value(64)), requests = requests, clients = steps(clients), timeout = every)],
        checks = [check("enough", lambda r: r.cluster("etcd").phase("write").ok > 10)],
    )

small = dict(requests = 20, clients = [1, 2])
`

func write(t testing.TB, files ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for i := 0; i+1 < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, files[i]), []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func open(t *testing.T, text string, o Options) (*Scenario, error) {
	t.Helper()
	return Open(context.Background(), filepath.Join(write(t, "write-1m.star", text), "write-1m.star"), o)
}

func TestOpen(t *testing.T) {
	s, err := open(t, good, options())
	if err != nil {
		t.Fatal(err)
	}
	p := s.Plan
	if p.Name != "write-1m" || p.Title != "Write some keys." {
		t.Errorf("name %q, title %q", p.Name, p.Title)
	}
	if len(p.Sources) == 0 || p.Sources[0].Name != "write-1m.star" || p.Sources[0].Text != good || len(p.Sources[0].Hash) != 64 {
		t.Errorf("sources %+v", p.Sources)
	}
	if got, want := printParams(p), `requests=1000 clients=[1, 10] every=5s name="write" half=0.5 strict=True`; got != want {
		t.Errorf("params %s, want %s", got, want)
	}
	steps := p.Runs[0].Groups[0].Phases[0].Steps
	if len(steps) != 2 || steps[0].Requests != 500 || steps[1].Clients != 10 {
		t.Errorf("steps %+v", steps)
	}
}

func printParams(p *plan.Plan) string {
	var parts []string
	for _, param := range p.Params {
		parts = append(parts, param.Name+"="+param.Value)
	}
	return strings.Join(parts, " ")
}

func TestBind(t *testing.T) {
	tests := []struct {
		small bool
		set   []string
		want  string
	}{
		{true, nil, `requests=20 clients=[1, 2] every=5s name="write" half=0.5 strict=True`},
		{true, []string{"clients=4"}, `requests=20 clients=[4] every=5s name="write" half=0.5 strict=True`},
		{
			false, []string{"clients=1", "clients=1,10,100", "requests=2K", "every=1m30s", "name=a-b"},
			`requests=2000 clients=[1, 10, 100] every=1m30s name="a-b" half=0.5 strict=True`,
		},
		{
			false, []string{"clients=[1, 3]", "requests=0.5M", "every=250ms", "half=0.25", "strict=False"},
			`requests=500000 clients=[1, 3] every=250ms name="write" half=0.25 strict=False`,
		},
	}
	for _, tt := range tests {
		o := options(tt.set...)
		o.Small = tt.small
		s, err := open(t, good, o)
		if err != nil {
			t.Errorf("%v: %v", tt.set, err)
			continue
		}
		if got := printParams(s.Plan); got != tt.want {
			t.Errorf("%v:\ngot  %s\nwant %s", tt.set, got, tt.want)
		}
	}
}

// TestOpenFailures: each line of want must stand in the output, in order; a
// position is that in the file.
func TestOpenFailures(t *testing.T) {
	head := "def main(requests = 1000, clients = 1):\n    records = keys(requests, size = 32)\n"
	etcd := "[cluster(\"etcd\", endpoints = [\"127.0.0.1:2379\"])]"
	tests := []struct {
		name, text string
		o          Options
		want       []string
	}{
		{"no main", "x = 1\n", options(), []string{"write-1m.star: this file is no scenario: it defines no function main"}},
		{"main is no function", "main = 1\n", options(), []string{"write-1m.star:1:1: main must be a function", "^~~~"}},
		{"returns a number", "def main():\n    return 1\n", options(), []string{":1:5: main must return a scenario(...), got int (1)"}},
		{"returns nothing", "def main():\n    pass\n", options(), []string{":1:5: main must return a scenario(...), got NoneType"}},
		{"unknown parameter", good, options("reqests=1"), []string{":6:5: --set reqests=1: main has no parameter reqests (did you mean requests?)"}},
		{"nothing near", good, options("zebra=1"), []string{"main has no parameter zebra; there are: requests, clients,"}},
		{"wrong type", good, options("requests=many"), []string{":6:10: --set requests=many: ", "the default of requests is 1000 (int)", "^~~~~~~~"}},
		{"wrong type of an element", good, options("clients=1,x"), []string{":6:27: --set clients=1,x: "}},
		{"no value", good, options("requests"), []string{"--set requests: want NAME=VALUE"}},
		{"all of --set at once", good, options("a=1", "requests=x"), []string{"no parameter a", "--set requests=x"}},
		{"no default", "def main(a, b = None):\n    pass\n", options("b=3"), []string{
			":1:10: parameter a has no default", ":1:13: parameter b has the default None",
		}},
		{"small without small", "def main():\n    pass\n", Options{Small: true}, []string{"--small: the file defines no small"}},
		{"small names no parameter", "def main(requests = 1):\n    pass\n\nsmall = dict(request = 2)\n", Options{Small: true}, []string{":4:1: small: main has no parameter", "did you mean requests?"}},
		{"small of another type", "def main(requests = 1):\n    pass\n\nsmall = dict(requests = \"2\")\n", Options{Small: true}, []string{":4:1: small: requests = \"2\" (string), but the default is 1 (int)"}},
		{"unknown store", "def main():\n    return stores[\"ectd\"](nodes = 3)\n", options(), []string{":2:18: no store \"ectd\"", "did you mean etcd?"}},
		{"misspelt argument", head + "    return scenario(clusters = " + etcd + ", phase = [])\n", options(), []string{":3:83: scenario: unexpected argument phase", "did you mean phases?", "^~~~~"}},
		{"wrong argument", head + "    return phase(\"x\", ops = 3)\n", options(), []string{":3:29: phase: ", "^"}},
		{"a duration compared with a number", "def main(timeout = 5 * second):\n    if timeout < 3:\n        return 1\n", options(), []string{
			":2:16: a duration can't be compared with an int (a duration is written 5 * second)", "^",
		}},
		{"a loop variable in a check, one pass", head + `    checks = [check(n, lambda r: r.phase(n).ok > 0) for n in ["a"]]
    return scenario(` + etcd + `, [phase("a", put(records.one(), value(1)), requests = 10)], checks = checks)
`, options(), []string{":3:24: check: fn: the function sees the variable n of a loop: with a second pass", "^"}},
		{"a loop variable in a check, two passes", head + `    checks = [check(n, lambda r: r.phase(n).ok > 0) for n in ["a", "b"]]
    return scenario(` + etcd + `, [phase("a", put(records.one(), value(1)), requests = 10)], checks = checks)
`, options(), []string{":3:24: check: fn: the function sees the variable n, which went on changing", "^"}},
		{"all problems of a plan at once", head + `    return scenario(
        clusters = ` + etcd + `,
        phases = [
            phase("a", ops = put(records.sequential(), value(64))),
            phase("b", ops = delete(records.sequential()), requests = 10),
        ],
    )
`, options(), []string{":6:13: phase a has no end", ":7:30: delete: etcd can't do it"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := open(t, tt.text, tt.o)
			var ds *lang.Diagnostics
			if !errors.As(err, &ds) {
				t.Fatalf("error of type %T: %v", err, err)
			}
			rest := err.Error()
			for _, want := range tt.want {
				_, after, ok := strings.Cut(rest, want)
				if !ok {
					t.Fatalf("got\n%v\nwant %q in it", err, tt.want)
				}
				rest = after
			}
		})
	}
}

func TestPrint(t *testing.T) {
	var out bytes.Buffer
	o := options()
	o.Print = &out
	open(t, "print(\"hello\", 1)\n", o)
	if out.String() != "hello 1\n" {
		t.Errorf("printed %q", out.String())
	}
}

func TestParams(t *testing.T) {
	dir := write(t, "a.star", good)
	params, doc, err := Params(context.Background(), filepath.Join(dir, "a.star"), options())
	if err != nil {
		t.Fatal(err)
	}
	if doc != "Write some keys.\n\nMore text." {
		t.Errorf("doc %q", doc)
	}
	want := []ParamInfo{
		{"requests", "int", "1000", "keys to write", "20"},
		{"clients", "list", "[1, 10]", "one step for each", "[1, 2]"},
		{"every", "duration", "5s", "", ""},
	}
	if fmt.Sprint(params[:3]) != fmt.Sprint(want) {
		t.Errorf("params %v, want %v", params[:3], want)
	}
}

func TestList(t *testing.T) {
	dir := write(t, "b.star", good, "a.star", "def main():\n    pass\n", "helper.star", "x = 1\n",
		"b_test.star", "def main():\n    pass\n", "broken.star", "x = \n", "README.md", "text")
	if err := os.Mkdir(filepath.Join(dir, "sub.star"), 0o755); err != nil {
		t.Fatal(err)
	}
	entries, err := List(context.Background(), dir, options("requests=none of its business"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, fmt.Sprintf("%s %q %d params, small %v, error %v", filepath.Base(e.Path), e.Title, len(e.Params), e.Small, e.Err != nil))
	}
	want := []string{
		`a.star "" 0 params, small false, error false`,
		`b.star "Write some keys." 6 params, small true, error false`,
		`broken.star "" 0 params, small false, error true`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if _, err := List(context.Background(), filepath.Join(dir, "none"), options()); err == nil {
		t.Error("no error for a folder that does not exist")
	}
}

// A check is called after the run; its place and line are those of the file.
func TestEvaluate(t *testing.T) {
	s, err := open(t, good, options())
	if err != nil {
		t.Fatal(err)
	}
	verdicts := s.Evaluate(context.Background(), &result.Run{Schema: result.Schema})
	if len(verdicts) != 1 || verdicts[0].Kind != "check" || verdicts[0].Name != "enough" {
		t.Fatalf("verdicts %+v", verdicts)
	}
	v := verdicts[0]
	if v.Status == result.Pass {
		t.Errorf("an empty run passes: %+v", v)
	}
	if !strings.Contains(v.Where, "write-1m.star:16:") || !strings.Contains(v.Line, `check("enough"`) {
		t.Errorf("where %q, line %q", v.Where, v.Line)
	}
}

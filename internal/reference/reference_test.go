package reference

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/builtins"
	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/result"
)

func contains(t *testing.T, text []byte, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(string(text), want) {
			t.Errorf("missing %q in\n%s", want, text)
		}
	}
}

func TestCommands(t *testing.T) {
	root := &cobra.Command{Use: "tool", Long: "tool does things."}
	run := &cobra.Command{Use: "run FILE", Short: "run a file", Example: "  tool run x\n  tool run y", Run: func(*cobra.Command, []string) {}}
	run.Flags().StringP("out", "o", "here", "write to `folder`")
	run.Flags().Bool("fast", false, "be quick | hasty")
	root.AddCommand(run, &cobra.Command{Use: "secret", Hidden: true, Run: func(*cobra.Command, []string) {}})
	got := commands(root)
	contains(t, got,
		"# The command line\n", "tool does things.",
		"| [`tool run`](#tool-run) | run a file |",
		"## tool run\n\n    tool run FILE [flags]\n\nRun a file.\n\n    tool run x\n    tool run y\n",
		"| `-o`, `--out folder` | write to folder (default here) |",
		"| `--fast` | be quick \\| hasty |",
		"| 143 | interrupted by SIGTERM |",
	)
	if strings.Contains(string(got), "secret") {
		t.Error("a hidden command is shown")
	}
}

func TestStores(t *testing.T) {
	contains(t, stores([]drivers.Spec{{
		Name: "pond", Doc: "A small store.", InProcess: true, Secure: true,
		Ops: []drivers.OpInfo{
			{Kind: drivers.Put, RPCs: "1 Put", TTL: true},
			{Kind: drivers.Scan, Limit: true, Consistencies: []drivers.Consistency{
				{Name: "fresh", Strong: true, RPCs: "2 calls"}, {Name: "stale", Weak: true, RPCs: "1 call"},
			}},
		},
		Options: []drivers.Option{{Name: "pause", Default: 5 * time.Millisecond, Max: 1e9, Doc: "how long"}},
		Limits:  drivers.Limits{Value: 1024},
	}}),
		"## pond\n\nA small store.\n", "inside kvscen",
		"| `put` |  | 1 Put | `ttl` |",
		"| `scan` | `fresh` (strong) | 2 calls | `limit` |\n|  | `stale` (weak) | 1 call | `limit` |",
		"| `pause` | `5ms` | 0s to 1s | how long |",
		"Limits: at most 1024 bytes in a value.", "TLS",
	)
}

func TestResults(t *testing.T) {
	got, err := results()
	if err != nil {
		t.Fatal(err)
	}
	contains(t, got,
		"| `latency.hlog` |", "\n## Versions\n", "| `service_ns` | end - start of an ok request |",
		"\n### CLUSTER-client-latency-by-key-number.csv\n", "| `KEYS` | count |", "| `AVG-THROUGHPUT` | requests/s |",
		"\n### Run\n", "\n### Hist\n", "\n### Ranges\n", "\n### Report\n",
		"| `clusters` | array of [Cluster](#cluster) |",
		"| `reason`? | string |",
		"| `max_cpu` | number | largest one-second value, percent of one core |",
		"| `p99` | column |", "| `start` | time |", "| `setup` | nanoseconds |",
	)
	_, fields, _ := strings.Cut(string(got), "\n## run.json\n")
	if first := strings.Index(fields, "\n### "); !strings.HasPrefix(fields[first:], "\n### Run\n") {
		t.Error("Run is not the first of the structs")
	}
}

// TestEveryFieldHasAMeaning finds fields of run.json that the page says nothing
// of, and words about fields that are gone or speak for themselves.
func TestEveryFieldHasAMeaning(t *testing.T) {
	structs, err := parseStructs(result.Declarations())
	if err != nil {
		t.Fatal(err)
	}
	words := meanings()
	for _, s := range structs {
		for _, f := range s.fields {
			name := s.name + "." + f.name
			if f.doc == "" && words[name] == "" {
				t.Errorf("%s has no meaning: give its declaration a comment", name)
			}
			if f.doc == "" {
				delete(words, name)
			}
		}
	}
	for name := range words {
		t.Errorf("%s is not a field without a comment: take it out of meanings", name)
	}
}

func TestRunJSONErrors(t *testing.T) {
	if _, err := parseStructs(fstest.MapFS{"x.go": &fstest.MapFile{Data: []byte("package x\ntype {")}}); err == nil {
		t.Error("broken source is accepted")
	}
}

func TestRecipe(t *testing.T) {
	files := fstest.MapFS{"pond.star": &fstest.MapFile{Data: []byte(`"""Ponds."""

def helper():
    pass

def pond(
        nodes = 3,
        deep = False):
    """A cluster of ponds.

    Args:
      nodes: how many
      deep: whether the water
        is deep
    """
    return nodes
`)}}
	var p page
	if err := p.recipe(files, "pond"); err != nil {
		t.Fatal(err)
	}
	contains(t, p.Bytes(),
		"### stores[\"pond\"]\n\n```python\ndef pond(\n        nodes = 3,\n        deep = False):\n```\n",
		"A cluster of ponds.\n\n- `nodes`: how many\n- `deep`: whether the water\n  is deep\n",
	)
	if err := p.recipe(files, "lake"); err == nil || !strings.Contains(err.Error(), "lake") {
		t.Errorf("got %v for a recipe that is not there", err)
	}
}

func TestLibrary(t *testing.T) {
	files := fstest.MapFS{
		"pond.star":  &fstest.MapFile{Data: []byte("def pond():\n    pass\n")},
		"waves.star": &fstest.MapFile{Data: []byte("\"\"\"Waves to load.\"\"\"\n\ndef _ripple():\n    pass\n\ndef wave(high = 3):\n    \"\"\"One wave.\"\"\"\n")},
	}
	var p page
	if err := p.library(files, []string{"pond"}); err != nil {
		t.Fatal(err)
	}
	contains(t, p.Bytes(), "## @std//waves.star\n\n```text\nWaves to load.\n```\n", "### wave\n\n```python\ndef wave(high = 3):\n```\n\nOne wave.\n")
	if text := p.String(); strings.Contains(text, "pond") || strings.Contains(text, "ripple") {
		t.Errorf("a recipe or a private function is shown:\n%s", text)
	}
}

func TestLanguageHasEveryWord(t *testing.T) {
	got, err := language()
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range builtins.Reference() {
		contains(t, got, "\n    "+w.Signature+"\n")
	}
	contains(t, got, `stores["etcd"]`)
}

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "pages")
	root := &cobra.Command{Use: "tool", Long: "tool does things."}
	if err := Write(dir, root, nil); err != nil {
		t.Fatal(err)
	}
	pages, err := Pages(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		if text, err := os.ReadFile(filepath.Join(dir, p.Name)); err != nil || string(text) != string(p.Text) {
			t.Errorf("%s: %d bytes, %v; want %d", p.Name, len(text), err, len(p.Text))
		}
	}
}

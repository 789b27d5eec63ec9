package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kvscen/kvscen/internal/reference"
)

// TestReferenceIsFresh fails when docs/ no longer says what the program knows.
func TestReferenceIsFresh(t *testing.T) {
	pages, err := reference.Pages(newRoot(), specs())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		committed, err := os.ReadFile(filepath.Join("..", "..", "docs", p.Name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(committed, p.Text) {
			t.Errorf("docs/%s is stale: run go run ./cmd/kvscen doc docs", p.Name)
		}
	}
}

// TestCommandsAreDocumented holds every subcommand to the same form.
func TestCommandsAreDocumented(t *testing.T) {
	for _, c := range newRoot().Commands() {
		if c.Hidden {
			continue
		}
		if c.Short == "" || c.Example == "" {
			t.Errorf("%s: short %q, example %q: both are wanted", c.Name(), c.Short, c.Example)
		}
		if !strings.Contains(c.Example, c.CommandPath()) {
			t.Errorf("%s: its examples never call it", c.Name())
		}
	}
}

// TestReadmeShowsTheScenario keeps the code of the README the same as the file
// that it is taken from.
func TestReadmeShowsTheScenario(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	scenario, err := os.ReadFile(filepath.Join("..", "..", "scenarios", "write-1m.star"))
	if err != nil {
		t.Fatal(err)
	}
	code, _, _ := bytes.Cut(scenario, []byte("\n#"))
	block := "```python\n" + strings.TrimSpace(string(code)) + "\n```\n"
	if !strings.Contains(string(readme), block) {
		t.Errorf("README.md does not show scenarios/write-1m.star as it is:\n%s", block)
	}
}

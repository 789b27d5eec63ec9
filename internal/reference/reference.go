// Package reference makes the reference pages of docs/ from what the program
// itself knows: the commands, the vocabulary, the stores and what a
// run leaves. The pages are committed, and a test fails when they are stale.
package reference

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/drivers"
)

// Page is one generated file.
type Page struct {
	Name string // "cli.md"
	Text []byte
}

// Pages makes all pages, for the commands below root and the stores given.
func Pages(root *cobra.Command, specs []drivers.Spec) ([]Page, error) {
	folder, err := results()
	if err != nil {
		return nil, err
	}
	vocabulary, err := language()
	if err != nil {
		return nil, err
	}
	return []Page{
		{"cli.md", commands(root)},
		{"language-reference.md", vocabulary},
		{"metrics.md", metrics()},
		{"results.md", folder},
		{"stores.md", stores(specs)},
	}, nil
}

// Write makes the pages and writes them to dir, which is made if need be.
func Write(dir string, root *cobra.Command, specs []drivers.Spec) error {
	pages, err := Pages(root, specs)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making the folder of the reference: %w", err)
	}
	for _, p := range pages {
		if err := os.WriteFile(filepath.Join(dir, p.Name), p.Text, 0o644); err != nil {
			return fmt.Errorf("writing the reference: %w", err)
		}
	}
	return nil
}

// page gathers the Markdown of one page.
type page struct{ bytes.Buffer }

// newPage begins a page with its title and where it comes from.
func newPage(title, intro string) *page {
	p := &page{}
	p.printf("# %s\n\n<!-- Made by `kvscen doc docs`; edit the source, not this page. -->\n\n%s\n", title, intro)
	return p
}

func (p *page) printf(format string, args ...any) { fmt.Fprintf(p, format, args...) }

// table writes a header; rows follow through row.
func (p *page) table(columns ...string) {
	p.printf("\n| %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat(" --- |", len(columns)))
}

// row writes one line of a table; bars and line breaks in cells are made safe.
func (p *page) row(cells ...string) {
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(strings.Join(strings.Fields(c), " "), "|", "\\|")
	}
	p.printf("| %s |\n", strings.Join(cells, " | "))
}

// code marks text as code; empty text stays empty.
func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

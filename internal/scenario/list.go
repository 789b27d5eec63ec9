package scenario

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.starlark.net/starlark"
)

// Entry is a scenario of a folder.
type Entry struct {
	Path   string
	Title  string   // first line of the docstring
	Params []string // names of the parameters of main
	Small  bool     // it says what a small run is
	Err    error    // why it can't be loaded; the rest is empty then
}

// List reads the scenarios of a folder, not of those below it, in the order of
// their names. Files without main, and those named *_test.star, are passed over.
func List(ctx context.Context, dir string, o Options) ([]Entry, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("listing scenarios: %w", err)
	}
	var entries []Entry
	for _, file := range files {
		name := file.Name()
		if file.IsDir() || !strings.HasSuffix(name, ".star") || strings.HasSuffix(name, "_test.star") || strings.HasPrefix(name, ".") {
			continue
		}
		if e, ok := entry(ctx, filepath.Join(dir, name), o); ok {
			entries = append(entries, e)
		}
	}
	return entries, nil
}

// entry looks at one file; ok is false where it is meant to be loaded only.
func entry(ctx context.Context, path string, o Options) (e Entry, ok bool) {
	f, err := load(ctx, path, o)
	if err != nil {
		return Entry{Path: path, Err: err}, true
	}
	if f.Main() == nil {
		return Entry{}, false
	}
	e = Entry{Path: path, Title: firstLine(f.Doc)}
	for _, p := range f.Params {
		e.Params = append(e.Params, p.Name)
	}
	_, e.Small = f.Globals["small"].(*starlark.Dict)
	return e, true
}

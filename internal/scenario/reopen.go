package scenario

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
	"github.com/kvscen/kvscen/stdlib"
)

// Reopen opens the scenario that is kept in the folders of results of it, with the
// files that they had loaded then and the parameters given. Places in it are told as
// if its folder were the current one.
func Reopen(ctx context.Context, runs []*result.Run, params []result.Param, o Options) (*Scenario, error) {
	root, err := os.MkdirTemp("", "kvscen-scenario-")
	if err != nil {
		return nil, fmt.Errorf("laying out a scenario: %w", err)
	}
	defer os.RemoveAll(root)
	entry := ""
	for _, r := range runs {
		at, err := layOut(root, r)
		if err != nil {
			return nil, fmt.Errorf("laying out the scenario of %s: %w", r.Dir, err)
		}
		entry = cmp.Or(entry, at)
	}
	o.Root, o.Std = root, overlay{os.DirFS(filepath.Join(root, stdFolder)), stdlib.Files()}
	for _, p := range params {
		o.Given = append(o.Given, plan.Param(p))
	}
	s, err := Open(ctx, entry, o)
	if err != nil {
		return nil, fmt.Errorf("opening the scenario of %s again: %s", runs[0].Dir, strings.ReplaceAll(err.Error(), filepath.Dir(entry)+string(filepath.Separator), ""))
	}
	s.folder = filepath.Dir(entry) + string(filepath.Separator)
	return s, nil
}

// stdFolder is where files of the library are laid out, apart from all others.
const stdFolder = "@std"

// layOut writes the sources so that they find each other as they did when they
// were run, and returns the path of the entry file. A file above the entry's
// folder is given as many folders to be above of.
func layOut(root string, r *result.Run) (entry string, err error) {
	sources := r.Scenario.Sources
	if len(sources) == 0 {
		return "", errors.New("the result names no file of it")
	}
	texts, err := result.Sources(r.Dir)
	if err != nil {
		return "", err
	}
	below := "files"
	for _, s := range sources {
		for range strings.Count(s.Name, "../") {
			below = path.Join(below, "d")
		}
	}
	for i, s := range sources {
		text, ok := textOf(s.Name, texts)
		if !ok {
			return "", fmt.Errorf("%s is not in the folder of the result", s.Name)
		}
		at := path.Join(below, s.Name)
		if std, is := strings.CutPrefix(s.Name, "@std//"); is {
			at = path.Join(stdFolder, std)
		}
		if !filepath.IsLocal(at) {
			return "", fmt.Errorf("%s lies outside of the scenario", s.Name)
		}
		place := filepath.Join(root, filepath.FromSlash(at))
		if i == 0 {
			entry = place
		}
		if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(place, []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	return entry, nil
}

// textOf finds a source by the name under which a result keeps it: without what
// leads out of its folder.
func textOf(name string, texts []result.SourceText) (string, bool) {
	name = strings.ReplaceAll(strings.TrimPrefix(name, "@"), "//", "/")
	name = strings.TrimPrefix(path.Clean("/"+name), "/")
	for _, t := range texts {
		if t.Name == name {
			return t.Text, true
		}
	}
	return "", false
}

// overlay is the library as it was kept, and for recipes that were not used that
// of this kvscen.
type overlay struct{ kept, ours fs.FS }

func (o overlay) Open(name string) (fs.File, error) {
	f, err := o.kept.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return o.ours.Open(name)
	}
	return f, err
}

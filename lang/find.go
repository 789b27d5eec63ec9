package lang

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// find turns the name given to load into a module, reading it if need be.
func (h *host) find(name string, from *source) (*module, error) {
	switch {
	case name == "":
		return nil, errors.New("the name is empty")
	case !strings.HasSuffix(name, ".star"):
		return nil, errors.New("the name of a script ends in .star")
	case strings.HasPrefix(name, stdPrefix):
		return h.findStd(strings.TrimPrefix(name, stdPrefix))
	case strings.HasPrefix(name, "@"):
		return nil, fmt.Errorf("there is one library, %sNAME.star", stdPrefix)
	case filepath.IsAbs(name) || strings.HasPrefix(name, "/") || strings.Contains(name, `\`):
		return nil, errors.New("the path must be relative to the loading file, with slashes")
	case from.std:
		return h.findStd(path.Join(path.Dir(strings.TrimPrefix(from.shown, stdPrefix)), name))
	}
	return h.findFile(name, from)
}

// findStd reads a file of the library.
func (h *host) findStd(name string) (*module, error) {
	id := stdPrefix + name
	if m := h.modules[id]; m != nil {
		return m, nil
	}
	if h.cfg.Std == nil || !fs.ValidPath(name) {
		return nil, errors.New("there is no such file in the library")
	}
	file, err := h.cfg.Std.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no such file in the library%s", didYouMean(name, h.stdNames()))
	}
	if err != nil {
		return nil, plainPathError(err)
	}
	defer file.Close()
	data, err := readAll(file)
	if err != nil {
		return nil, plainPathError(err)
	}
	return h.add(id, newSource(id, id, data)), nil
}

// stdNames lists the files of the library.
func (h *host) stdNames() []string {
	if h.cfg.Std == nil {
		return nil
	}
	names, _ := fs.Glob(h.cfg.Std, "*.star")
	return names
}

// findFile reads a file beside or below the loading one. Symbolic links are
// followed before it is looked whether the file lies inside the root.
func (h *host) findFile(name string, from *source) (*module, error) {
	shown := filepath.Join(filepath.Dir(from.shown), filepath.FromSlash(name))
	real, err := realPath(shown)
	if err != nil {
		// What lies outside the root is not even said to be missing.
		if abs, absErr := filepath.Abs(shown); absErr == nil && !inside(h.root, h.resolveParent(abs)) {
			return nil, h.outside()
		}
		return nil, plainPathError(err)
	}
	if !inside(h.root, real) {
		return nil, h.outside()
	}
	if m := h.modules[real]; m != nil {
		return m, nil
	}
	data, err := readFile(real)
	if err != nil {
		return nil, plainPathError(err)
	}
	rel, err := filepath.Rel(h.dir, shown)
	if err != nil {
		rel = name
	}
	return h.add(real, newSource(filepath.ToSlash(rel), shown, data)), nil
}

// resolveParent follows the links of the nearest folder above a missing file.
func (h *host) resolveParent(missing string) string {
	for dir := filepath.Dir(missing); ; dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil || dir == filepath.Dir(dir) {
			return real
		}
	}
}

func (h *host) outside() error {
	return fmt.Errorf("it lies outside of the root folder %s", h.root)
}

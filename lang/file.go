package lang

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.starlark.net/starlark"
)

// File is a script that was read and evaluated. It is used by one goroutine at
// a time.
type File struct {
	Doc     string              // its docstring, with the indentation taken off
	Globals starlark.StringDict // what it defines, frozen
	Params  []Param             // of its function main, in order; nil where there is none

	host  *host
	entry *source
}

// Load reads and evaluates the script at path and all that it loads. The error,
// if any, is a *Diagnostics. ctx ends the evaluation; Config.Timeout does too.
func Load(ctx context.Context, path string, cfg Config) (*File, error) {
	h, entry, err := open(path, cfg)
	if err != nil {
		return nil, &Diagnostics{{File: path, Msg: err.Error()}}
	}
	f := &File{host: h, entry: entry}
	err = h.run(ctx, place{entry, span{1, 1, 1}}, func(t *starlark.Thread) error {
		var err error
		f.Globals, err = h.evaluate(t, entry)
		return err
	})
	if err != nil {
		return nil, h.explain(err, entry)
	}
	f.Doc = dedent(fileDoc(entry.syntaxTree()))
	if main := f.Main(); main != nil {
		f.Params = params(main)
	}
	return f, nil
}

// open finds the entry file and the folder that it can't leave.
func open(path string, cfg Config) (*host, *source, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, nil, plainPathError(err)
	}
	root := cfg.Root
	if root == "" {
		root = filepath.Dir(path)
	}
	if root, err = realPath(root); err != nil {
		return nil, nil, fmt.Errorf("finding the root folder %s: %w", cfg.Root, plainPathError(err))
	}
	data, err := readFile(real)
	if err != nil {
		return nil, nil, plainPathError(err)
	}
	h := newHost(path, root, cfg.withDefaults())
	entry := newSource(filepath.Base(path), path, data)
	h.add(real, entry)
	return h, entry, nil
}

// Main is the function main of the script; nil: it has none.
func (f *File) Main() *starlark.Function {
	main, _ := f.Globals["main"].(*starlark.Function)
	return main
}

// Call calls a function of the script (or of one that it loaded) under the same
// limits as Load. The error, if any, is a *Diagnostics.
func (f *File) Call(ctx context.Context, fn starlark.Callable, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var result starlark.Value
	err := f.host.run(ctx, f.host.definition(fn), func(t *starlark.Thread) error {
		var err error
		result, err = starlark.Call(t, fn, args, kwargs)
		return err
	})
	if err != nil {
		return nil, f.host.explain(err, f.entry)
	}
	return result, nil
}

// Sources lists the files that the script was made of so far, the entry first.
// A library file that is loaded by a later Call is added then.
func (f *File) Sources() []Source {
	var out []Source
	for _, s := range f.host.order {
		out = append(out, s.Source)
	}
	return out
}

// SourceLine is the text of a line of one of the sources, named as in
// positions; empty where there is no such line.
func (f *File) SourceLine(file string, line int) string {
	if s := f.host.byShown[file]; s != nil {
		return s.line(line)
	}
	return ""
}

// Locate makes a diagnostic for the call at a position (that of its opening
// parenthesis, as Starlark gives it). arg names the argument to mark; where it
// is empty or not given in the call, the name of the called function is marked.
// index tells the place of that parameter in the signature of a function, from
// 0 and -1 for unknown, so that an argument given by position is found; it may
// be nil.
func (f *File) Locate(file string, line, col int, arg, msg string, index func(function string) int) Diagnostic {
	s := f.host.byShown[file]
	if s == nil {
		return Diagnostic{File: file, Line: line, Col: col, Width: 1, Msg: msg}
	}
	call := callAt(s.syntaxTree(), line, col)
	if call == nil {
		return s.at(span{line, col, 1}, msg)
	}
	at := -1
	if name := calleeName(call); index != nil && name != "" {
		at = index(name)
	}
	return s.at(argumentSpan(call, arg, at, msg), msg)
}

// LocateGlobal makes a diagnostic for the place in the entry file where a
// global is defined; for the file as a whole where it is not.
func (f *File) LocateGlobal(name, msg string) Diagnostic {
	if id := globalIdent(f.entry.syntaxTree(), name); id != nil {
		return f.entry.at(spanOf(id), msg)
	}
	return f.entry.whole(msg)
}

// LocateParam makes a diagnostic for a parameter of main.
func (f *File) LocateParam(name, msg string) Diagnostic {
	if i := slices.IndexFunc(f.Params, func(p Param) bool { return p.Name == name }); i >= 0 {
		p := f.Params[i]
		if s := f.host.byShown[p.file]; s != nil {
			return s.at(span{p.line, p.col, len(name)}, msg)
		}
	}
	return f.LocateGlobal("main", msg)
}

// readFile reads a script from the disk. It does not open what is no file: a
// named pipe would wait for a writer.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return nil, errors.New("this is not a regular file")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readAll(file)
}

// plainPathError takes the operation and path off an error of the operating
// system: a diagnostic has the path in front already.
func plainPathError(err error) error {
	for {
		pe, ok := err.(*os.PathError)
		if !ok {
			return err
		}
		err = pe.Err
	}
}

// realPath is an absolute path without symbolic links.
func realPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// inside reports whether a real path lies in a real folder.
func inside(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

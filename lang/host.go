package lang

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
)

// stdPrefix begins the names of library files.
const stdPrefix = "@std//"

// host evaluates one script and what it loads.
type host struct {
	cfg         Config
	dir         string // of the entry file, as given
	root        string // real path
	predeclared starlark.StringDict
	modules     map[string]*module // by real path or @std// name
	loading     []*module          // under way, outermost first
	order       []*source          // in the order first read
	byShown     map[string]*source
	lost        bool // an evaluation was given up: its goroutine may still run
}

// module is one file: read, under way, or done.
type module struct {
	src     *source
	globals starlark.StringDict
	err     error
	done    bool
}

func newHost(path, root string, cfg Config) *host {
	h := &host{
		cfg: cfg, dir: filepath.Dir(path), root: root,
		predeclared: maps.Clone(cfg.Predeclared),
		modules:     map[string]*module{},
		byShown:     map[string]*source{},
	}
	if h.predeclared == nil {
		h.predeclared = starlark.StringDict{}
	}
	h.predeclared[measureName] = starlark.NewBuiltin(measureName, measure)
	maps.Copy(h.predeclared, bounded())
	return h
}

// add makes a source known under its identity.
func (h *host) add(id string, s *source) *module {
	m := &module{src: s}
	h.modules[id] = m
	h.order = append(h.order, s)
	h.byShown[s.shown] = s
	return m
}

func (h *host) thread() *starlark.Thread {
	t := &starlark.Thread{Name: h.dir, Load: h.load}
	t.Print = func(_ *starlark.Thread, msg string) { io.WriteString(h.cfg.Print, msg+"\n") }
	t.SetMaxExecutionSteps(h.cfg.MaxSteps)
	t.OnMaxSteps = func(t *starlark.Thread) { t.Cancel(stepsReason(h.cfg.MaxSteps)) }
	return t
}

// load is what a script's load statement calls, and what Go code calls through
// Thread.Load. A second load of the same file gives the same globals.
func (h *host) load(t *starlark.Thread, name string) (starlark.StringDict, error) {
	m, err := h.find(name, h.loader(t))
	if err != nil {
		return nil, &loadError{name, err}
	}
	for i, under := range h.loading {
		if under == m {
			return nil, &loadError{name, cycleError(h.loading[i:], m)}
		}
	}
	if !m.done {
		m.globals, m.err = h.evaluate(t, m.src)
		m.done = true
	}
	if m.err != nil {
		return nil, m.err
	}
	return m.globals, nil
}

// loader is the file whose code is running: the innermost that is no Go code.
func (h *host) loader(t *starlark.Thread) *source {
	for depth := range t.CallStackDepth() {
		if s := h.byShown[t.CallFrame(depth).Pos.Filename()]; s != nil {
			return s
		}
	}
	return h.order[0]
}

// evaluate parses, resolves and runs a file. Its error is a *Diagnostics for
// what is wrong with the text and a *starlark.EvalError for what goes wrong when
// it runs.
func (h *host) evaluate(t *starlark.Thread, s *source) (_ starlark.StringDict, err error) {
	if d := s.checkText(); d != nil {
		return nil, &Diagnostics{*d}
	}
	tree, err := s.parse()
	if err != nil {
		return nil, &Diagnostics{s.syntaxError(err)}
	}
	weigh(tree)
	program, err := starlark.FileProgram(tree, h.predeclared.Has)
	if list, ok := errors.AsType[resolve.ErrorList](err); ok {
		return nil, h.nameErrors(s, list)
	}
	if err != nil {
		return nil, &Diagnostics{s.whole(err.Error())}
	}
	m := h.moduleOf(s)
	h.loading = append(h.loading, m)
	defer func() { h.loading = h.loading[:len(h.loading)-1] }()
	globals, err := program.Init(t, h.predeclared)
	globals.Freeze()
	return globals, err
}

func (h *host) moduleOf(s *source) *module {
	for _, m := range h.modules {
		if m.src == s {
			return m
		}
	}
	return nil
}

// loadError is a file that can't be loaded, for reasons outside its text.
type loadError struct {
	name string
	err  error
}

func (e *loadError) Error() string { return fmt.Sprintf("can't load %q: %v", e.name, e.err) }
func (e *loadError) Unwrap() error { return e.err }

func cycleError(chain []*module, again *module) error {
	var names []string
	for _, m := range chain {
		names = append(names, m.src.shown)
	}
	return fmt.Errorf("the files load each other in a circle: %s", strings.Join(append(names, again.src.shown), " -> "))
}

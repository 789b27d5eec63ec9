package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kvscen/kvscen/internal/host"
	"github.com/kvscen/kvscen/internal/plan"
)

// unit is one process of one node on its way through life.
type unit struct {
	member  int    // index into Cluster.members
	node    string // its name
	spec    plan.Process
	at      place
	command host.Command
	log     string      // its log, on this machine
	probe   *plan.Ready // tokens replaced; nil: ready at once
	files   map[string]string
	after   []*unit
	before  []*unit // those that come after it

	process host.Process  // nil until it was started
	ready   chan struct{} // closed when it is ready
	stopped chan struct{} // closed when Stop is done with it
}

func (u *unit) name() string { return u.node + "." + u.spec.Name }

// blame makes an error of this process.
func (u *unit) blame(err error) *Error {
	return &Error{Pos: u.spec.Pos, Member: u.node, Process: u.spec.Name, Err: err}
}

// prepare fills in what the plan left open, makes folders and files, and starts
// nothing. If it fails it keeps no port.
func prepare(ctx context.Context, c *plan.Cluster, cfg Config) (_ *Cluster, err error) {
	if cfg.Dir, err = filepath.Abs(cfg.Dir); err != nil {
		return nil, fmt.Errorf("find the data folder %s: %w", cfg.Dir, err)
	}
	if cfg.LogDir, err = filepath.Abs(cfg.LogDir); err != nil {
		return nil, fmt.Errorf("find the log folder %s: %w", cfg.LogDir, err)
	}
	s := &Cluster{}
	if s.places, err = places(ctx, c, cfg); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.releasePorts()
		}
	}()
	for i, n := range c.Nodes {
		if err := s.addNode(i, n, &resolver{at: s.places[n.Name], nodes: s.places}, cfg); err != nil {
			return nil, err
		}
	}
	if err := order(s.units); err != nil {
		return nil, err
	}
	s.died, s.ended = make(chan Death, len(s.units)), make(chan struct{})
	return s, s.makeFiles(c, cfg)
}

// addNode adds a node's member and its processes.
func (c *Cluster) addNode(index int, n plan.Node, r *resolver, cfg Config) error {
	endpoint, err := substitute(n.Endpoint, r.resolve)
	if err != nil {
		return &Error{Pos: n.Pos, Member: n.Name, Err: fmt.Errorf("endpoint: %w", err)}
	}
	m := Member{Name: n.Name, Endpoint: endpoint, Dir: r.at.dir, Data: r.at.dir, Remote: r.at.remote}
	for _, p := range n.Processes {
		u := &unit{member: index, node: n.Name, spec: p, at: r.at, log: cfg.logPath(n.Name, p.Name), ready: make(chan struct{}), stopped: make(chan struct{})}
		if err := u.fill(r); err != nil {
			return u.blame(err)
		}
		m.Logs = append(m.Logs, u.log)
		m.Argv = append(m.Argv, u.command.Argv)
		c.units = append(c.units, u)
	}
	if len(m.Logs) > 0 {
		m.Log = m.Logs[0]
	}
	c.members = append(c.members, m)
	return nil
}

// fill makes the command, the files and the probe of a process, every token
// replaced.
func (u *unit) fill(r *resolver) error {
	dir := r.at.dir
	var errs []error
	replace := func(what, text string) string {
		text, err := substitute(text, r.resolve)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", what, err))
		}
		return text
	}
	all := func(what string, texts []string) []string {
		out := make([]string, len(texts))
		for i, text := range texts {
			out[i] = replace(what, text)
		}
		return out
	}
	u.command = host.Command{
		Argv: all("argv", u.spec.Argv), Env: make(map[string]string), Dir: dir, Log: filepath.Join(r.at.logs, filepath.Base(u.log)),
		Signal: u.spec.Stop.Signal, Grace: u.spec.Stop.Grace,
	}
	for name, value := range u.spec.Env {
		u.command.Env[name] = replace("env "+name, value)
	}
	u.files = make(map[string]string)
	for path, text := range u.spec.Files {
		path = replace("files", path)
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		u.files[path] = replace("file "+path, text)
	}
	if p := u.spec.Ready; p != nil {
		probe := *p
		probe.Addr, probe.URL, probe.Argv = replace("ready", p.Addr), replace("ready", p.URL), all("ready", p.Argv)
		u.probe = &probe
	}
	if err := u.locate(r.at.machine); err != nil {
		errs = append(errs, err)
	}
	// A map has no order, a message should.
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(errs...)
}

// locate makes the program's path absolute, since it will run in its own folder.
// A token that was not replaced is an error of its own already.
func (u *unit) locate(where finder) error {
	argv := u.command.Argv
	if len(argv) == 0 {
		return errors.New("argv: there is no program to run")
	}
	if argv[0] == "" {
		return nil
	}
	path, err := where.LookPath(argv[0])
	if err != nil {
		return fmt.Errorf("argv: %w", err)
	}
	argv[0] = path
	return nil
}

// makeFiles makes the folders anew, then the files of every process.
func (c *Cluster) makeFiles(p *plan.Cluster, cfg Config) error {
	if err := (host.Local{}).MkdirAll(cfg.LogDir); err != nil {
		return fmt.Errorf("make the log folder: %w", err)
	}
	for i, m := range c.members {
		at := c.places[m.Name]
		err := at.machine.RemoveAll(m.Dir)
		if err == nil {
			err = at.machine.MkdirAll(m.Dir)
		}
		if err == nil && at.remote != nil {
			err = at.machine.MkdirAll(at.logs)
		}
		if err != nil {
			return &Error{Pos: p.Nodes[i].Pos, Member: m.Name, Err: fmt.Errorf("make its data folder: %w", err)}
		}
	}
	for _, u := range c.units {
		for _, path := range slices.Sorted(maps.Keys(u.files)) {
			if err := u.at.machine.WriteFile(path, []byte(u.files[path])); err != nil {
				return u.blame(fmt.Errorf("write its file %s: %w", path, err))
			}
			if err := u.keep(path, cfg); err != nil {
				return u.blame(fmt.Errorf("keep its file %s: %w", path, err))
			}
		}
	}
	return nil
}

// keep puts what the process is configured by beside its log.
func (u *unit) keep(path string, cfg Config) error {
	name, err := filepath.Rel(u.at.dir, path)
	if err != nil || !filepath.IsLocal(name) {
		name = strings.TrimPrefix(path, string(filepath.Separator))
	}
	dir := strings.TrimSuffix(cfg.logPath(u.node, u.spec.Name), ".log") + ".files"
	return host.Local{}.WriteFile(filepath.Join(dir, name), []byte(u.files[path]))
}

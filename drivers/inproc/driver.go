package inproc

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/kvscen/kvscen/drivers"
)

// Driver is a driver over an engine. It holds the members that are open.
type Driver struct {
	spec   drivers.Spec
	module string // path of the engine's Go module
	open   Open

	mu      sync.Mutex
	members map[string]*member // by endpoint
	opened  int
}

var (
	_ drivers.Driver   = (*Driver)(nil)
	_ drivers.Opener   = (*Driver)(nil)
	_ drivers.Statuser = (*conn)(nil)
)

// New makes a driver without members. module names the Go module whose version
// is the engine's.
func New(spec drivers.Spec, module string, open Open) *Driver {
	return &Driver{spec: spec, module: module, open: open, members: map[string]*member{}}
}

// Spec says what the store can do.
func (d *Driver) Spec() drivers.Spec { return d.spec }

// Open opens a member with its data in dir.
func (d *Driver) Open(_ context.Context, dir string, values map[string]any) (string, func() error, error) {
	m := newMember(d.spec.Name, version(d.module))
	options := &Options{spec: &d.spec, values: values}
	store, err := d.open(dir, options, m.fail)
	if err != nil {
		return "", nil, fmt.Errorf("%s: open %s: %w", d.spec.Name, dir, err)
	}
	m.store = store
	d.mu.Lock()
	defer d.mu.Unlock()
	d.opened++
	m.endpoint = fmt.Sprintf("%s-%d", d.spec.Name, d.opened)
	d.members[m.endpoint] = m
	return m.endpoint, func() error { return d.shut(m) }, nil
}

// shut closes a member; its connections answer no more.
func (d *Driver) shut(m *member) error {
	d.mu.Lock()
	known := d.members[m.endpoint] == m
	delete(d.members, m.endpoint)
	d.mu.Unlock()
	if !known {
		return fmt.Errorf("%s: close %s: not open", d.spec.Name, m.endpoint)
	}
	if err := m.close(); err != nil {
		return fmt.Errorf("%s: close: %w", d.spec.Name, err)
	}
	return nil
}

// Dial connects to a member that Open has opened. The options that count are
// those given to Open: they are the member's.
func (d *Driver) Dial(ctx context.Context, t drivers.Target) (drivers.Conn, error) {
	d.mu.Lock()
	m := d.members[t.Endpoint]
	d.mu.Unlock()
	err := ctx.Err()
	if err == nil && m == nil {
		err = errors.New("no such member is open")
	}
	if err == nil {
		err = m.failure()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: connect to %q: %w", d.spec.Name, t.Endpoint, err)
	}
	return m.connect(&d.spec), nil
}

// version is that of a module in this binary.
func version(module string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unknown
	}
	for _, dep := range info.Deps {
		if dep.Path == module {
			return strings.TrimPrefix(dep.Version, "v")
		}
	}
	return unknown
}

const unknown = "unknown"

// Package mem is a store in our own process. With its data kept it is a small
// ordered key-value store; with keep = False it stores nothing and answers at
// once, so that what is measured on it is the engine itself. Service times,
// stalls, refusals, lost and wrong answers can be scripted, and are the same at every
// run, so that the engine can be tested against faults known beforehand.
package mem

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// Driver holds the members that are open. Its zero value is not ready; see New.
type Driver struct {
	mu      sync.Mutex
	members map[string]*member // by endpoint
	opened  int
}

var (
	_ drivers.Driver = (*Driver)(nil)
	_ drivers.Opener = (*Driver)(nil)
	_ drivers.Piper  = (*conn)(nil)
)

// New makes a driver without members.
func New() *Driver { return &Driver{members: map[string]*member{}} }

// Open starts an empty member. The folder is not used: nothing is on disk.
func (d *Driver) Open(_ context.Context, _ string, options map[string]any) (string, func() error, error) {
	m, err := newMember(options)
	if err != nil {
		return "", nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.opened++
	endpoint := fmt.Sprintf("mem-%d", d.opened)
	d.members[endpoint] = m
	return endpoint, func() error { return d.shut(endpoint) }, nil
}

// shut ends a member; its connections answer no more.
func (d *Driver) shut(endpoint string) error {
	d.mu.Lock()
	m := d.members[endpoint]
	delete(d.members, endpoint)
	d.mu.Unlock()
	if m == nil {
		return fmt.Errorf("mem: close %s: not open", endpoint)
	}
	m.closeConns()
	return nil
}

// Dial connects to a member that Open has started. The options that count are
// those given to Open: they are the member's.
func (d *Driver) Dial(_ context.Context, t drivers.Target) (drivers.Conn, error) {
	d.mu.Lock()
	m := d.members[t.Endpoint]
	d.mu.Unlock()
	if m == nil {
		return nil, fmt.Errorf("mem: connect to %q: no such member is open", t.Endpoint)
	}
	return m.connect(), nil
}

// member is one open store: its script, and what it answers from.
type member struct {
	base   time.Time // times of the member are counted from here
	script *script
	store  backend

	mu    sync.Mutex
	conns map[*conn]struct{}
}

// backend carries out requests. It is called by many goroutines at once.
type backend interface {
	apply(spec *drivers.OpSpec, op *drivers.Op)
	// another gives the value of a key that is not this one; nil: there is none.
	another(key []byte) []byte
}

func newMember(options map[string]any) (*member, error) {
	spec := spec()
	if err := spec.CheckOptions(options); err != nil {
		return nil, fmt.Errorf("mem: %w", err)
	}
	m := &member{base: time.Now(), script: newScript(&spec, options), conns: map[*conn]struct{}{}}
	if drivers.OptionOf[bool](&spec, options, "keep") {
		m.store = newTable()
		return m, nil
	}
	m.store = null{value: make([]byte, drivers.OptionOf[int64](&spec, options, "value"))}
	return m, nil
}

func (m *member) connect() *conn {
	c := &conn{member: m, ended: make(chan struct{})}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.conns[c] = struct{}{}
	return c
}

func (m *member) closeConns() {
	m.mu.Lock()
	conns := m.conns
	m.conns = map[*conn]struct{}{}
	m.mu.Unlock()
	for c := range conns {
		c.end()
	}
}

package inproc

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// closeWithin bounds how long closing waits for calls under way in the engine,
// and for the engine to close, which may flush what is in memory.
const closeWithin = time.Minute

// member is one open store.
type member struct {
	name     string // of the driver
	version  string // of the engine
	endpoint string
	store    Store

	doors  *doors                // into the engine
	broken atomic.Pointer[error] // why the engine can go on no more

	mu        sync.Mutex
	conns     map[*conn]struct{}
	connected int // so far
}

func newMember(name, version string) *member {
	return &member{name: name, version: version, doors: newDoors(), conns: map[*conn]struct{}{}}
}

// fail ends all connections for good: the engine is broken.
func (m *member) fail(err error) {
	m.broken.CompareAndSwap(nil, &err)
	m.endConns()
}

func (m *member) failure() error {
	if err := m.broken.Load(); err != nil {
		return *err
	}
	return nil
}

// close ends all connections, waits until no call is under way and closes the
// engine. One that is broken is left alone: it may wait for ever.
func (m *member) close() error {
	m.endConns()
	if err := m.failure(); err != nil {
		return fmt.Errorf("it had failed before: %w", err)
	}
	m.doors.shut()
	closed := make(chan error, 1)
	go func() {
		<-m.doors.drained
		closed <- m.store.Close()
	}()
	select {
	case err := <-closed:
		return err
	case <-time.After(closeWithin):
		return fmt.Errorf("it still works after %v", closeWithin)
	}
}

func (m *member) connect(spec *drivers.Spec) *conn {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := &conn{member: m, door: m.doors.at(m.connected), spec: spec, ended: make(chan struct{})}
	m.connected++
	m.conns[c] = struct{}{}
	return c
}

func (m *member) endConns() {
	m.mu.Lock()
	conns := m.conns
	m.conns = map[*conn]struct{}{}
	m.mu.Unlock()
	for c := range conns {
		c.end()
	}
}

// errClosed tells of a connection that has ended, and of what ended it.
func (m *member) errClosed() *drivers.Error {
	err := errors.New("the connection is closed")
	if broken := m.failure(); broken != nil {
		err = broken
	}
	return &drivers.Error{Class: drivers.Unavailable, Err: fmt.Errorf("%s: %w", m.name, err)}
}

func (m *member) errTimeout() *drivers.Error {
	return &drivers.Error{Class: drivers.Timeout, Err: fmt.Errorf("%s: not done by the deadline", m.name)}
}

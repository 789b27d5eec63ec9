package inproc

import (
	"github.com/kvscen/kvscen/drivers"
)

// A command is one operation of a phase, bound for one client. It works on
// copies, because it may still run when the request has been given up and its Op
// is in use for another.
type command interface {
	// load copies what the command needs.
	load(op *drivers.Op) error
	// run carries it out. halt is asked from time to time with the bytes read
	// since; where it reports true, run returns errHalted.
	run(halt func(bytes int) bool) error
	// result fills in op, after run has returned without an error.
	result(op *drivers.Op)
}

// binding is a command and where it is run.
type binding struct {
	command command
	waits   bool // it is run in the background
	reads   bool // a key at most: one that begins too late does no harm, and ends as late
}

// bind makes the command of an operation that has been checked.
func bind(store Store, spec *drivers.OpSpec) binding {
	switch spec.Kind {
	case drivers.Put:
		return binding{command: &put{batch: store.Batch()}, waits: store.Waits()}
	case drivers.Get:
		return binding{command: newGet(store.Latest(), spec), reads: true}
	case drivers.Delete:
		return binding{command: &remove{store: store}, waits: store.Waits()}
	case drivers.Scan:
		return binding{command: newScan(store.Latest(), spec)}
	case drivers.Exists:
		return binding{command: &exists{reader: store.Latest()}, reads: true}
	}
	return bindTxn(store, spec)
}

// put writes a key.
type put struct{ batch Batch }

func (p *put) load(op *drivers.Op) error {
	p.batch.Reset()
	return p.batch.Put(op.Key, op.Value)
}

func (p *put) run(func(int) bool) error { return p.batch.Commit() }
func (p *put) result(*drivers.Op)       {}

// remove deletes a key.
type remove struct {
	store Store
	key   []byte
	found bool
}

func (r *remove) load(op *drivers.Op) error {
	r.key = append(r.key[:0], op.Key...)
	return nil
}

func (r *remove) run(func(int) bool) (err error) {
	r.found, err = r.store.Delete(r.key)
	return err
}

func (r *remove) result(op *drivers.Op) {
	if r.found {
		op.Found, op.Count = true, 1
	}
}

// get reads the value of a key, which is the request's own: nothing is waited for,
// so that it has ended before the request has.
type get struct {
	reader Reader
	keep   bool
	key    []byte
	value  []byte // its memory is used again
	size   int
	found  bool
}

func newGet(r Reader, spec *drivers.OpSpec) *get {
	return &get{reader: r, keep: spec.Keep}
}

func (g *get) load(op *drivers.Op) error {
	g.key = op.Key
	return nil
}

func (g *get) run(func(int) bool) (err error) {
	g.value, g.size, g.found, err = g.reader.Get(g.key, g.value[:0], g.keep)
	return err
}

func (g *get) result(op *drivers.Op) {
	if !g.found {
		return
	}
	op.Found, op.Count, op.Bytes = true, 1, int64(len(g.key)+g.size)
	if g.keep {
		op.Read = g.value
	}
}

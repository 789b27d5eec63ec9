package inproc

import (
	"slices"

	"github.com/kvscen/kvscen/drivers"
)

// bindTxn chooses the cheapest way that keeps a transaction in one step: a batch
// where it only writes, one state of the store where it only reads, and
// otherwise a transaction that keeps other writers out.
func bindTxn(store Store, spec *drivers.OpSpec) binding {
	any := func(kinds ...drivers.Kind) bool {
		return slices.ContainsFunc(spec.Ops, func(op drivers.OpSpec) bool { return slices.Contains(kinds, op.Kind) })
	}
	reads, puts, deletes := any(drivers.Get, drivers.Scan, drivers.Exists), any(drivers.Put), any(drivers.Delete)
	switch {
	case !reads && !deletes: // a delete tells whether the key was there
		return binding{command: &batched{batch: store.Batch()}, waits: store.Waits()}
	case !puts && !deletes:
		t := newTxn(spec)
		t.within = func() error { return store.View(t.look) }
		return binding{command: t}
	}
	t := newTxn(spec)
	t.within = func() error { return store.Update(t.change) }
	return binding{command: t, waits: true}
}

// batched is a transaction of writes alone.
type batched struct{ batch Batch }

func (b *batched) load(op *drivers.Op) error {
	b.batch.Reset()
	for i := range op.Sub {
		if err := b.batch.Put(op.Sub[i].Key, op.Sub[i].Value); err != nil {
			return err
		}
	}
	return nil
}

func (b *batched) run(func(int) bool) error { return b.batch.Commit() }

func (b *batched) result(op *drivers.Op) {
	op.Found = true
	for i := range op.Sub {
		op.Sub[i].Reset()
		op.Sub[i].Attempts = 1
	}
}

// txn carries out its parts one after the other.
type txn struct {
	parts  []part
	within func() error
	halt   func(bytes int) bool
}

// part is one operation of a transaction: one of them is set, or none for a put.
type part struct {
	kind       drivers.Kind
	get        *get
	scan       *scan
	exists     *exists
	key, value []byte // of put and delete
	found      bool   // by delete
}

func newTxn(spec *drivers.OpSpec) *txn {
	t := &txn{parts: make([]part, len(spec.Ops))}
	for i := range spec.Ops {
		p := &t.parts[i]
		switch p.kind = spec.Ops[i].Kind; p.kind {
		case drivers.Get:
			p.get = newGet(nil, &spec.Ops[i])
		case drivers.Scan:
			p.scan = newScan(nil, &spec.Ops[i])
		case drivers.Exists:
			p.exists = &exists{}
		}
	}
	return t
}

func (t *txn) load(op *drivers.Op) error {
	for i := range t.parts {
		if err := t.parts[i].load(&op.Sub[i]); err != nil {
			return err
		}
	}
	return nil
}

func (t *txn) run(halt func(bytes int) bool) error {
	t.halt = halt
	return t.within()
}

// look carries out the parts where all of them read.
func (t *txn) look(r Reader) error {
	for i := range t.parts {
		if err := t.parts[i].read(r, t.halt); err != nil {
			return err
		}
	}
	return nil
}

// change carries out the parts.
func (t *txn) change(w Writer) error {
	for i := range t.parts {
		p := &t.parts[i]
		var err error
		switch p.kind {
		case drivers.Put:
			err = w.Put(p.key, p.value)
		case drivers.Delete:
			err = p.remove(w)
		default:
			err = p.read(w, t.halt)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *txn) result(op *drivers.Op) {
	op.Found = true
	for i := range t.parts {
		sub := &op.Sub[i]
		sub.Reset()
		sub.Attempts = 1
		t.parts[i].result(sub)
		op.Count += sub.Count
		op.Bytes += sub.Bytes
	}
}

func (p *part) load(op *drivers.Op) error {
	switch p.kind {
	case drivers.Get:
		return p.get.load(op)
	case drivers.Scan:
		return p.scan.load(op)
	case drivers.Exists:
		return p.exists.load(op)
	}
	p.key, p.value = append(p.key[:0], op.Key...), append(p.value[:0], op.Value...)
	return nil
}

func (p *part) read(r Reader, halt func(bytes int) bool) error {
	switch p.kind {
	case drivers.Get:
		p.get.reader = r
		return p.get.run(halt)
	case drivers.Exists:
		p.exists.reader = r
		return p.exists.run(halt)
	}
	p.scan.reader = r
	return p.scan.run(halt)
}

func (p *part) remove(w Writer) (err error) {
	if p.found, err = w.Has(p.key); err != nil || !p.found {
		return err
	}
	return w.Delete(p.key)
}

func (p *part) result(op *drivers.Op) {
	switch p.kind {
	case drivers.Get:
		p.get.result(op)
	case drivers.Scan:
		p.scan.result(op)
	case drivers.Exists:
		p.exists.result(op)
	case drivers.Delete:
		if p.found {
			op.Found, op.Count = true, 1
		}
	}
}

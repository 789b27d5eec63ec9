// Package leveldb is the driver of LevelDB as goleveldb implements it, in our own
// process.
package leveldb

import (
	"errors"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/opt"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/inproc"
)

// New makes a driver without members.
func New() *inproc.Driver { return inproc.New(spec(), "github.com/syndtr/goleveldb", open) }

// store is an open database.
type store struct {
	db    *leveldb.DB
	write opt.WriteOptions
}

func open(dir string, o *inproc.Options, _ func(error)) (inproc.Store, error) {
	s, err := settings(o)
	if err != nil {
		return nil, err
	}
	db, err := leveldb.OpenFile(dir, s)
	if err != nil {
		return nil, err
	}
	return &store{db: db, write: opt.WriteOptions{Sync: o.Bool("sync")}}, nil
}

func (s *store) Latest() inproc.Reader { return reader{s.db} }

func (s *store) View(f func(inproc.Reader) error) error {
	snapshot, err := s.db.GetSnapshot()
	if err != nil {
		return err
	}
	defer snapshot.Release()
	return f(reader{snapshot})
}

// Update runs f in a transaction of the library, which holds its write lock.
func (s *store) Update(f func(inproc.Writer) error) error {
	t, err := s.db.OpenTransaction()
	if err != nil {
		return err
	}
	defer t.Discard() // does nothing after Commit
	if err := f(writer{reader{t}, t}); err != nil {
		return err
	}
	return t.Commit()
}

// Delete looks for the key first: a delete does not tell whether it was there.
func (s *store) Delete(key []byte) (bool, error) {
	found, err := s.db.Has(key, nil)
	if err != nil || !found {
		return false, err
	}
	return true, s.db.Delete(key, &s.write)
}

func (s *store) Batch() inproc.Batch { return &batch{store: s} }
func (s *store) Waits() bool         { return s.write.Sync }
func (s *store) Close() error        { return s.db.Close() }

// Class sorts an error of the library.
func (s *store) Class(err error) drivers.Class {
	if errors.Is(err, leveldb.ErrClosed) || errors.Is(err, leveldb.ErrReadOnly) {
		return drivers.Unavailable // read-only is what it becomes after a failed write
	}
	return drivers.Other
}

// batch is one write of the library. A small record that is alone in it is put:
// puts at the same time are merged into one batch of the library's own, which
// costs it less than to merge batches of ours. With others they are copied once,
// into our batch, as the library would do for a put.
type batch struct {
	store      *store
	key, value []byte // of the one record, where alone is true
	alone      bool
	writes     leveldb.Batch
}

const (
	// keepBytes is the most memory that a batch keeps for the next one.
	keepBytes = 1 << 20
	// smallBytes is the most that is copied twice, by us and by the library.
	smallBytes = 64 << 10
)

func (b *batch) Reset() {
	b.alone = false
	if len(b.writes.Dump()) > keepBytes {
		b.writes = leveldb.Batch{}
		return
	}
	b.writes.Reset()
}

func (b *batch) Put(key, value []byte) error {
	if !b.alone && b.writes.Len() == 0 && len(key)+len(value) <= smallBytes {
		b.alone, b.key, b.value = true, append(b.key[:0], key...), append(b.value[:0], value...)
		return nil
	}
	if b.alone {
		b.writes.Put(b.key, b.value)
		b.alone = false
	}
	b.writes.Put(key, value)
	return nil
}

func (b *batch) Commit() error {
	if b.alone {
		return b.store.db.Put(b.key, b.value, &b.store.write)
	}
	return b.store.db.Write(&b.writes, &b.store.write)
}

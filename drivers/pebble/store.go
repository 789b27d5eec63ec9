// Package pebble is the driver of Pebble, in our own process.
package pebble

import (
	"errors"
	"fmt"
	"sync"

	"github.com/cockroachdb/pebble/v2"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/inproc"
)

// New makes a driver without members.
func New() *inproc.Driver { return inproc.New(spec(), "github.com/cockroachdb/pebble/v2", open) }

// store is an open database.
type store struct {
	db    *pebble.DB
	write *pebble.WriteOptions

	logged bool // there is a write-ahead log

	// alone is held for writing by a transaction that reads as well: an indexed
	// batch reads what others have committed meanwhile. Other writers share it.
	alone sync.RWMutex
}

func open(dir string, o *inproc.Options, failed func(error)) (inproc.Store, error) {
	s, err := settings(o)
	if err != nil {
		return nil, err
	}
	defer s.Cache.Unref() // the database holds it from here on
	s.Logger = logger{failed}
	s.EventListener = &pebble.EventListener{BackgroundError: func(err error) { giveUp(err, failed) }}
	db, err := pebble.Open(dir, s)
	if err != nil {
		return nil, err
	}
	write := pebble.NoSync
	if o.Bool("sync") && o.Bool("wal") {
		write = pebble.Sync
	}
	return &store{db: db, write: write, logged: o.Bool("wal")}, nil
}

func (s *store) Latest() inproc.Reader { return reader{s.db} }

func (s *store) View(f func(inproc.Reader) error) (err error) {
	snapshot := s.db.NewSnapshot()
	defer func() { err = errors.Join(err, snapshot.Close()) }()
	return f(reader{snapshot})
}

func (s *store) Update(f func(inproc.Writer) error) (err error) {
	s.alone.Lock()
	defer s.alone.Unlock()
	b := s.db.NewIndexedBatch()
	defer func() { err = errors.Join(err, b.Close()) }()
	if err := f(writer{reader{b}, b}); err != nil {
		return err
	}
	return b.Commit(s.write)
}

// Delete looks for the key first: a delete does not tell whether it was there.
func (s *store) Delete(key []byte) (bool, error) {
	s.alone.RLock()
	defer s.alone.RUnlock()
	found, err := s.Latest().Has(key)
	if err != nil || !found {
		return false, err
	}
	return true, s.db.Delete(key, s.write)
}

func (s *store) Batch() inproc.Batch { return &batch{store: s, writes: s.db.NewBatch()} }
func (s *store) Waits() bool         { return s.write.Sync }

// Close writes out what is in memory alone: without a log the library forgets it.
func (s *store) Close() error {
	var err error
	if !s.logged {
		err = s.db.Flush()
	}
	return errors.Join(err, s.db.Close())
}

// Class sorts an error of the library.
func (s *store) Class(err error) drivers.Class {
	switch {
	case errors.Is(err, pebble.ErrClosed), errors.Is(err, pebble.ErrReadOnly):
		return drivers.Unavailable
	case errors.Is(err, pebble.ErrBatchTooLarge):
		return drivers.TooLarge
	}
	return drivers.Other
}

// batch is one write of the library.
type batch struct {
	store  *store
	writes *pebble.Batch
}

func (b *batch) Reset() { b.writes.Reset() }

func (b *batch) Put(key, value []byte) error { return b.writes.Set(key, value, nil) }

func (b *batch) Commit() error {
	b.store.alone.RLock()
	defer b.store.alone.RUnlock()
	return b.writes.Commit(b.store.write)
}

// logger keeps the library from our own output.
type logger struct{ failed func(error) }

func (logger) Infof(string, ...any)  {}
func (logger) Errorf(string, ...any) {}

// Fatalf is called when the library can't go on, a log that can't be written for
// one. It must not return; the member is given up, and its caller waits for ever.
func (l logger) Fatalf(format string, args ...any) {
	l.failed(fmt.Errorf(format, args...))
	select {}
}

// Package inproc is what the drivers of storage engines in our own process
// share: members that are opened and closed, connections, requests that end by
// their deadline although the engine's calls take none, and the operations in
// terms of what any ordered engine can do. An engine comes in as a Store.
package inproc

import (
	"errors"

	"github.com/kvscen/kvscen/drivers"
)

// A Store is an open engine. Its methods may be called by several goroutines at
// once, and Close by one, once all others have returned.
type Store interface {
	// Latest reads what was committed before each of its calls.
	Latest() Reader
	// View runs f on one state of the store.
	View(f func(Reader) error) error
	// Update runs f with all other writers kept out, and commits what it has
	// written in one step; nothing, where f returns an error.
	Update(f func(Writer) error) error
	// Delete removes a key and reports whether it was there.
	Delete(key []byte) (bool, error)
	// Batch makes an empty batch, to be used again and again by one goroutine.
	Batch() Batch
	// Waits reports whether a commit waits for the disk or for other writers, so
	// that it is worth a goroutine of its own.
	Waits() bool
	// Class sorts an error of any of these.
	Class(err error) drivers.Class
	Close() error
}

// A Reader reads keys in order of their bytes.
type Reader interface {
	// Get reads a value. It is appended to buf, or, where keep is false and the
	// engine reads it as a whole in any case, only its size is told.
	Get(key, buf []byte, keep bool) (value []byte, size int, found bool, err error)
	// Has reports whether a key is there, without its value where the engine can.
	Has(key []byte) (bool, error)
	// Scan visits keys from one on, up to end (exclusive, if not empty), until
	// visit returns false. Keys and values are valid during the visit. Without
	// values they are nil, and not read where the engine can leave them.
	Scan(from, end []byte, values bool, visit func(key, value []byte) bool) error
}

// A Writer sees what it has itself written.
type Writer interface {
	Reader
	Put(key, value []byte) error
	Delete(key []byte) error
}

// A Batch holds copies of what is to be written in one step.
type Batch interface {
	Reset()
	Put(key, value []byte) error
	Commit() error
}

// Open opens an engine with its data in dir. The store calls failed when it
// finds out that it can go on no more; its Close is then never called.
type Open func(dir string, options *Options, failed func(error)) (Store, error)

// errHalted ends a command that is to go on no more; the reason is known to the
// one who halted it.
var errHalted = errors.New("halted")

package leveldb

import (
	"errors"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/iterator"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/util"
)

// source is what the library reads from: the database, a snapshot of it, or a
// transaction.
type source interface {
	Get(key []byte, ro *opt.ReadOptions) ([]byte, error)
	Has(key []byte, ro *opt.ReadOptions) (bool, error)
	NewIterator(slice *util.Range, ro *opt.ReadOptions) iterator.Iterator
}

type reader struct{ source source }

// Get returns the library's own copy of the value, which it makes in any case.
func (r reader) Get(key, _ []byte, _ bool) ([]byte, int, bool, error) {
	value, err := r.source.Get(key, nil)
	if errors.Is(err, leveldb.ErrNotFound) {
		return nil, 0, false, nil
	}
	return value, len(value), err == nil, err
}

func (r reader) Has(key []byte) (bool, error) { return r.source.Has(key, nil) }

// Scan leaves no value unread: they lie in the same blocks as the keys.
func (r reader) Scan(from, end []byte, values bool, visit func(key, value []byte) bool) error {
	limits := util.Range{Start: from}
	if len(end) > 0 {
		limits.Limit = end
	}
	it := r.source.NewIterator(&limits, nil)
	defer it.Release()
	for it.Next() {
		var value []byte
		if values {
			value = it.Value()
		}
		if !visit(it.Key(), value) {
			break
		}
	}
	return it.Error()
}

// writer writes in a transaction.
type writer struct {
	reader
	transaction *leveldb.Transaction
}

func (w writer) Put(key, value []byte) error { return w.transaction.Put(key, value, nil) }
func (w writer) Delete(key []byte) error     { return w.transaction.Delete(key, nil) }

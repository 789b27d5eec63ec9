package pebble

import (
	"errors"
	"io"

	"github.com/cockroachdb/pebble/v2"
)

// source is what the library reads from: the database, a snapshot of it, or an
// indexed batch.
type source interface {
	Get(key []byte) ([]byte, io.Closer, error)
	NewIter(*pebble.IterOptions) (*pebble.Iterator, error)
}

type reader struct{ source source }

func (r reader) Get(key, buf []byte, keep bool) (value []byte, size int, found bool, err error) {
	v, held, err := r.source.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return buf, 0, false, nil
	}
	if err != nil {
		return buf, 0, false, err
	}
	if keep {
		buf = append(buf, v...)
	}
	size = len(v)
	return buf, size, true, held.Close()
}

// Has reads as Get does, for the library has nothing less; a large value that it
// keeps apart is read as well.
func (r reader) Has(key []byte) (bool, error) {
	_, _, found, err := r.Get(key, nil, false)
	return found, err
}

func (r reader) Scan(from, end []byte, values bool, visit func(key, value []byte) bool) (err error) {
	limits := pebble.IterOptions{LowerBound: from}
	if len(end) > 0 {
		limits.UpperBound = end
	}
	it, err := r.source.NewIter(&limits)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, it.Close()) }()
	for ok := it.First(); ok; ok = it.Next() {
		var value []byte
		if values {
			if value, err = it.ValueAndErr(); err != nil {
				return err
			}
		}
		if !visit(it.Key(), value) {
			break
		}
	}
	return it.Error()
}

// writer writes in an indexed batch.
type writer struct {
	reader
	batch *pebble.Batch
}

func (w writer) Put(key, value []byte) error { return w.batch.Set(key, value, nil) }
func (w writer) Delete(key []byte) error     { return w.batch.Delete(key, nil) }

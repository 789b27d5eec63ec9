package bbolt

import (
	"bytes"

	"go.etcd.io/bbolt"
)

// bucket reads and writes within a transaction.
type bucket struct{ in *bbolt.Bucket }

// Get copies the value in any case: it lies in the file's map, and what is not
// touched is not read.
func (b bucket) Get(key, buf []byte, _ bool) ([]byte, int, bool, error) {
	v := b.in.Get(key)
	return append(buf, v...), len(v), v != nil, nil
}

// Has finds the key's page and does not touch the value.
func (b bucket) Has(key []byte) (bool, error) { return b.in.Get(key) != nil, nil }

func (b bucket) Scan(from, end []byte, values bool, visit func(key, value []byte) bool) error {
	var value []byte // copied as in Get
	c := b.in.Cursor()
	for k, v := c.Seek(from); k != nil && (len(end) == 0 || bytes.Compare(k, end) < 0); k, v = c.Next() {
		if values {
			value = append(value[:0], v...)
		}
		if !visit(k, value) {
			break
		}
	}
	return nil
}

func (b bucket) Put(key, value []byte) error { return b.in.Put(key, value) }
func (b bucket) Delete(key []byte) error     { return b.in.Delete(key) }

// latest begins a transaction for each read.
type latest struct{ store *store }

func (l latest) Get(key, buf []byte, keep bool) (value []byte, size int, found bool, err error) {
	tx, err := l.store.db.Begin(false)
	if err != nil {
		return buf, 0, false, err
	}
	value, size, found, err = l.store.bucket(tx).Get(key, buf, keep)
	if end := tx.Rollback(); err == nil {
		err = end
	}
	return value, size, found, err
}

func (l latest) Has(key []byte) (found bool, err error) {
	err = l.store.db.View(func(tx *bbolt.Tx) error {
		found, err = l.store.bucket(tx).Has(key)
		return err
	})
	return found, err
}

func (l latest) Scan(from, end []byte, values bool, visit func(key, value []byte) bool) error {
	return l.store.db.View(func(tx *bbolt.Tx) error { return l.store.bucket(tx).Scan(from, end, values, visit) })
}

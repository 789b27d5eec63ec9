package main

import (
	"errors"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"
)

// boltDB is one client of an open file, with memory for what it reads.
type boltDB struct {
	db    *bbolt.DB
	value []byte
}

func (b *boltDB) put(key, value []byte) error {
	return b.db.Update(func(tx *bbolt.Tx) error { return tx.Bucket(bucket()).Put(key, value) })
}

// get copies the value, which is not read otherwise, nor there after the
// transaction.
func (b *boltDB) get(key []byte) error {
	return b.db.View(func(tx *bbolt.Tx) error {
		value := tx.Bucket(bucket()).Get(key)
		if value == nil {
			return errNotThere
		}
		b.value = append(b.value[:0], value...)
		return nil
	})
}

func bucket() []byte { return []byte("bench") }

// openBbolt leaves the library its own settings, which are the driver's too.
func openBbolt(at place, clients, _ int) (*library, error) {
	if err := os.MkdirAll(at.dir, 0o755); err != nil {
		return nil, err
	}
	db, err := bbolt.Open(filepath.Join(at.dir, "data"), 0o600, &bbolt.Options{NoSync: !at.sync})
	if err != nil {
		return nil, err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucket(bucket())
		return err
	})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	l := &library{close: db.Close}
	for range clients {
		l.clients = append(l.clients, &boltDB{db: db})
	}
	return l, nil
}

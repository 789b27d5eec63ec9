// Package bbolt is the driver of bbolt, in our own process. All keys are in one
// bucket.
package bbolt

import (
	"errors"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/inproc"
)

const (
	fileName     = "data.bbolt"
	bucketName   = "kvscen"
	lockWithin   = 5 * time.Second       // for the lock of the file
	defaultDelay = 10 * time.Millisecond // of a shared transaction: the library's own
	minFill      = 0.1                   // the library takes no other
	maxFill      = 1.0
)

// New makes a driver without members.
func New() *inproc.Driver { return inproc.New(spec(), "go.etcd.io/bbolt", open) }

// store is an open file.
type store struct {
	db     *bbolt.DB
	shares bool    // puts share transactions
	fill   float64 // of pages
}

func open(dir string, o *inproc.Options, _ func(error)) (inproc.Store, error) {
	batch, delay := o.Int("batch", 0), o.Duration("batch_delay")
	fill, alloc := o.Float("fill", minFill, maxFill), o.Int("alloc_size", 1)
	s, err := settings(o)
	if err != nil {
		return nil, err
	}
	db, err := bbolt.Open(filepath.Join(dir, fileName), 0o600, s)
	if err != nil {
		return nil, err
	}
	db.MaxBatchSize, db.MaxBatchDelay, db.AllocSize = batch, delay, alloc
	err = db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists([]byte(bucketName))
		return err
	})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &store{db: db, shares: batch > 0, fill: fill}, nil
}

// bucket is where all keys of a transaction are.
func (s *store) bucket(tx *bbolt.Tx) bucket {
	b := tx.Bucket([]byte(bucketName))
	b.FillPercent = s.fill
	return bucket{b}
}

func (s *store) Latest() inproc.Reader { return latest{s} }

func (s *store) View(f func(inproc.Reader) error) error {
	return s.db.View(func(tx *bbolt.Tx) error { return f(s.bucket(tx)) })
}

func (s *store) Update(f func(inproc.Writer) error) error {
	return s.db.Update(func(tx *bbolt.Tx) error { return f(s.bucket(tx)) })
}

// Delete looks for the key in the same transaction.
func (s *store) Delete(key []byte) (found bool, err error) {
	err = s.db.Update(func(tx *bbolt.Tx) error {
		b := s.bucket(tx)
		if found, _ = b.Has(key); !found {
			return errNothing
		}
		return b.Delete(key)
	})
	if errors.Is(err, errNothing) {
		err = nil
	}
	return found, err
}

// errNothing rolls a transaction back: it has nothing to write.
var errNothing = errors.New("nothing to write")

func (s *store) Batch() inproc.Batch {
	b := &batch{store: s}
	b.write = b.apply
	return b
}

// Waits is always so: there is one writer at a time.
func (s *store) Waits() bool  { return true }
func (s *store) Close() error { return s.db.Close() }

// Class sorts an error of the library.
func (s *store) Class(err error) drivers.Class {
	switch {
	case errors.Is(err, bolterrors.ErrDatabaseNotOpen), errors.Is(err, bolterrors.ErrTxClosed):
		return drivers.Unavailable
	case errors.Is(err, bolterrors.ErrKeyTooLarge), errors.Is(err, bolterrors.ErrValueTooLarge):
		return drivers.TooLarge
	case errors.Is(err, bolterrors.ErrKeyRequired), errors.Is(err, bolterrors.ErrMaxSizeReached):
		return drivers.Refused
	}
	return drivers.Other
}

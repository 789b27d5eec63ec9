package bbolt

import "go.etcd.io/bbolt"

// batch is what one transaction writes. The library keeps keys and values until
// it has committed, and may carry a shared transaction out twice.
type batch struct {
	store *store
	data  []byte
	sizes []sizes
	write func(tx *bbolt.Tx) error // apply, bound once
}

type sizes struct{ key, value int }

// keepBytes is the most memory that a batch keeps for the next one.
const keepBytes = 1 << 20

func (b *batch) Reset() {
	b.sizes = b.sizes[:0]
	if cap(b.data) > keepBytes {
		b.data = nil
	}
	b.data = b.data[:0]
}

func (b *batch) Put(key, value []byte) error {
	b.data = append(append(b.data, key...), value...)
	b.sizes = append(b.sizes, sizes{len(key), len(value)})
	return nil
}

func (b *batch) Commit() error {
	if b.store.shares {
		return b.store.db.Batch(b.write)
	}
	return b.store.db.Update(b.write)
}

func (b *batch) apply(tx *bbolt.Tx) error {
	to, rest := b.store.bucket(tx), b.data
	for _, n := range b.sizes {
		key, value := rest[:n.key:n.key], rest[n.key:n.key+n.value]
		if err := to.Put(key, value); err != nil {
			return err
		}
		rest = rest[n.key+n.value:]
	}
	return nil
}

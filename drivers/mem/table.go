package mem

import (
	"bytes"
	"hash/maphash"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

const numShards = 64

// table is the backend that keeps what is written. Requests for one key lock
// the key's shard; those that see several keys lock all shards, in order, and
// so are atomic. A value is never changed once it is stored: readers share it.
type table struct {
	seed   maphash.Seed
	base   time.Time // expiry is counted from here
	rev    atomic.Int64
	shards [numShards]shard
	index  *index
}

type shard struct {
	mu      sync.Mutex
	entries map[string]*entry
	_       [40]byte // a cache line of its own
}

type entry struct {
	value   []byte
	rev     int64
	expires time.Duration // since base; 0: never
}

func newTable() *table {
	t := &table{seed: maphash.MakeSeed(), base: time.Now(), index: newIndex()}
	for i := range t.shards {
		t.shards[i].entries = map[string]*entry{}
	}
	return t
}

func (t *table) apply(spec *drivers.OpSpec, op *drivers.Op) {
	switch spec.Kind {
	case drivers.Scan, drivers.ListChildren, drivers.Txn:
		t.lockAll()
		t.do(spec, op)
		t.unlockAll()
	default:
		s := t.shard(op.Key)
		s.mu.Lock()
		t.do(spec, op)
		s.mu.Unlock()
	}
}

// do carries op out; its shards are locked.
func (t *table) do(spec *drivers.OpSpec, op *drivers.Op) {
	op.Reset()
	op.Attempts = 1
	switch spec.Kind {
	case drivers.Put:
		op.Revision = t.put(op.Key, op.Value, spec.TTL)
	case drivers.Get:
		t.get(op)
	case drivers.Delete:
		t.delete(op)
	case drivers.CAS:
		t.swap(spec, op)
	case drivers.Scan:
		t.scan(spec, op)
	case drivers.ListChildren:
		t.list(spec, op)
	case drivers.Txn:
		t.txn(spec, op)
	case drivers.Exists:
		op.Found = t.find(op.Key) != nil
	}
}

func (t *table) shard(key []byte) *shard {
	return &t.shards[maphash.Bytes(t.seed, key)%numShards]
}

func (t *table) shardOf(key string) *shard {
	return &t.shards[maphash.String(t.seed, key)%numShards]
}

func (t *table) lockAll() {
	for i := range t.shards {
		t.shards[i].mu.Lock()
	}
}

func (t *table) unlockAll() {
	for i := range t.shards {
		t.shards[i].mu.Unlock()
	}
}

// find looks a key up. One that has expired is removed, and is not there.
func (t *table) find(key []byte) *entry {
	s := t.shard(key)
	e := s.entries[string(key)]
	if e == nil || !t.expired(e) {
		return e
	}
	t.remove(s, string(key))
	return nil
}

func (t *table) expired(e *entry) bool {
	return e.expires != 0 && time.Since(t.base) >= e.expires
}

func (t *table) remove(s *shard, key string) {
	delete(s.entries, key)
	t.index.remove(key)
}

func (t *table) put(key, value []byte, ttl time.Duration) int64 {
	e := t.find(key)
	if e == nil {
		e = &entry{}
		k := string(key)
		t.shard(key).entries[k] = e
		t.index.insert(k)
	}
	e.value = bytes.Clone(value)
	e.rev = t.rev.Add(1)
	e.expires = 0
	if ttl > 0 {
		e.expires = time.Since(t.base) + ttl
	}
	return e.rev
}

func (t *table) get(op *drivers.Op) {
	e := t.find(op.Key)
	if e == nil {
		return
	}
	op.Found, op.Count, op.Bytes = true, 1, int64(len(op.Key)+len(e.value))
	op.Read, op.Revision = e.value, e.rev
}

func (t *table) delete(op *drivers.Op) {
	if t.find(op.Key) == nil {
		return
	}
	t.remove(t.shard(op.Key), string(op.Key))
	op.Found, op.Count, op.Revision = true, 1, t.rev.Add(1)
}

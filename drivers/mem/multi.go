package mem

import (
	"bytes"
	"strings"

	"github.com/kvscen/kvscen/drivers"
)

// expected reports whether the key is at the revision that a swap asks for. Here
// nothing comes between reading the revision and swapping.
func (t *table) expected(spec *drivers.OpSpec, op *drivers.Op) bool {
	want := op.Expected
	if spec.Absent {
		want = drivers.ExpectAbsent
	}
	var have int64
	if e := t.find(op.Key); e != nil {
		have = e.rev
	}
	return want == drivers.ExpectCurrent || want == have
}

func (t *table) swap(spec *drivers.OpSpec, op *drivers.Op) {
	if t.expected(spec, op) {
		op.Found, op.Revision = true, t.put(op.Key, op.Value, spec.TTL)
	}
}

// txn carries out all of its operations, or none: where a swap in it is not as
// expected, nothing is done and the transaction is not committed.
func (t *table) txn(spec *drivers.OpSpec, op *drivers.Op) {
	for i := range op.Sub {
		op.Sub[i].Reset()
	}
	for i := range op.Sub {
		if sub := &spec.Ops[i]; sub.Kind == drivers.CAS && !t.expected(sub, &op.Sub[i]) {
			return
		}
	}
	for i := range op.Sub {
		sub := &op.Sub[i]
		if spec.Ops[i].Kind == drivers.CAS {
			sub.Attempts, sub.Found = 1, true
			sub.Revision = t.put(sub.Key, sub.Value, spec.Ops[i].TTL)
		} else {
			t.do(&spec.Ops[i], sub)
		}
		op.Count += sub.Count
		op.Bytes += sub.Bytes
	}
	op.Found, op.Revision = true, t.rev.Load()
}

// scan reads keys and values in order, or keys alone.
func (t *table) scan(spec *drivers.OpSpec, op *drivers.Op) {
	t.walk(string(op.Key), string(op.End), func(key string, e *entry) bool {
		op.Count++
		op.Bytes += int64(len(key))
		if !spec.KeysOnly {
			op.Bytes += int64(len(e.value))
		}
		if spec.Keep {
			op.Entries = append(op.Entries, drivers.Entry{Key: []byte(key), Value: e.value})
		}
		return spec.Limit == 0 || op.Count < spec.Limit
	})
	op.Revision = t.rev.Load()
}

// list reads the names one level below op.Key: those behind its slash that hold
// no further one.
func (t *table) list(spec *drivers.OpSpec, op *drivers.Op) {
	prefix := string(op.Key)
	if !bytes.HasSuffix(op.Key, []byte("/")) {
		prefix += "/"
	}
	t.walk(prefix, prefix[:len(prefix)-1]+"0", func(key string, _ *entry) bool { // '0' follows '/'
		if strings.Contains(key[len(prefix):], "/") {
			return true
		}
		op.Count++
		op.Bytes += int64(len(key))
		return spec.Limit == 0 || op.Count < spec.Limit
	})
	op.Revision = t.rev.Load()
}

// walk visits the keys from one on, up to end (exclusive, if not empty), until
// visit returns false. Those that have expired are removed on the way.
func (t *table) walk(from, end string, visit func(key string, e *entry) bool) {
	for n := t.index.seek(from); n != nil && (end == "" || n.key < end); n = n.next[0] {
		s := t.shardOf(n.key)
		e := s.entries[n.key]
		if t.expired(e) {
			t.remove(s, n.key)
			continue
		}
		if !visit(n.key, e) {
			return
		}
	}
}

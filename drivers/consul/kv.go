package consul

import (
	"github.com/hashicorp/consul/api"

	"github.com/kvscen/kvscen/drivers"
)

// put writes a key. Consul does not say at which index.
type put struct{ alone }

func (p put) do(c *calls, op *drivers.Op) error {
	key := string(op.Key)
	if !inPath(key) {
		return single(c, p, usual, op)
	}
	op.Attempts++
	_, err := c.conn.kv.Put(&api.KVPair{Key: key, Value: op.Value}, c.write)
	return err
}

func (put) verbs(list api.TxnOps, op *drivers.Op) api.TxnOps {
	return append(list, verb(api.KVSet, op.Key, op.Value, 0))
}

func (put) take(found []*api.KVPair, op *drivers.Op) { op.Revision = revision(found[0]) }

// get reads a key.
type get struct{ mode mode }

func (g get) do(c *calls, op *drivers.Op) error {
	key := string(op.Key)
	if !inPath(key) {
		return single(c, g, g.mode, op)
	}
	op.Attempts++
	pair, _, err := c.conn.kv.Get(key, c.read[g.mode])
	if err == nil && pair != nil {
		g.take([]*api.KVPair{pair}, op)
	}
	return err
}

func (get) prepare(*calls, *drivers.Op) error { return nil }

func (get) entries() int { return 1 }

func (get) verbs(list api.TxnOps, op *drivers.Op) api.TxnOps {
	return append(list, verb(api.KVGet, op.Key, nil, 0))
}

func (get) take(found []*api.KVPair, op *drivers.Op) {
	pair := found[0]
	op.Found, op.Count, op.Revision = true, 1, revision(pair)
	op.Bytes, op.Read = int64(len(pair.Key)+len(pair.Value)), pair.Value
}

// remove deletes a key. Consul's own answer is the same whether or not the key
// was there; to know, it is read in the same transaction, which is rolled back
// where there is nothing to delete.
type remove struct{ alone }

func (r remove) do(c *calls, op *drivers.Op) error {
	return single(c, r, usual, op)
}

func (remove) verbs(list api.TxnOps, op *drivers.Op) api.TxnOps {
	return append(list, verb(api.KVGet, op.Key, nil, 0), verb(api.KVDelete, op.Key, nil, 0))
}

func (remove) take(_ []*api.KVPair, op *drivers.Op) { op.Found, op.Count = true, 1 }

// cas writes a key if its modify index is the one expected; 0 is that of a key
// that does not exist.
type cas struct {
	absent bool   // whatever op says, it must not exist
	index  uint64 // expected by the request under way
}

func (s *cas) do(c *calls, op *drivers.Op) error {
	if err := s.prepare(c, op); err != nil {
		return err
	}
	key := string(op.Key)
	if !inPath(key) {
		return single(c, s, usual, op)
	}
	op.Attempts++
	swapped, _, err := c.conn.kv.CAS(&api.KVPair{Key: key, Value: op.Value, ModifyIndex: s.index}, c.write)
	op.Found = swapped
	return err
}

// prepare finds the index to expect.
func (s *cas) prepare(c *calls, op *drivers.Op) error {
	switch {
	case s.absent:
		s.index = 0
	case op.Expected != drivers.ExpectCurrent:
		s.index = uint64(op.Expected)
	default:
		look := drivers.Op{Key: op.Key}
		err := get{usual}.do(c, &look)
		op.Attempts += look.Attempts
		s.index = uint64(look.Revision)
		return err
	}
	return nil
}

func (s *cas) entries() int { return 1 }

func (s *cas) verbs(list api.TxnOps, op *drivers.Op) api.TxnOps {
	return append(list, verb(api.KVCAS, op.Key, op.Value, s.index))
}

func (s *cas) take(found []*api.KVPair, op *drivers.Op) {
	op.Found, op.Revision = true, revision(found[0])
}

func revision(pair *api.KVPair) int64 { return int64(pair.ModifyIndex) }

package consul

import (
	"bytes"
	"errors"

	"github.com/hashicorp/consul/api"

	"github.com/kvscen/kvscen/drivers"
)

// scan reads what Consul can read in one request: all that begins with a prefix.
// Without an end that is the key; with one it is what both ends begin with, and
// what lies outside of them is left out afterwards.
type scan struct{ mode mode }

func (s scan) do(c *calls, op *drivers.Op) error {
	prefix := string(extent(op))
	if !inPath(prefix) {
		return single(c, s, s.mode, op)
	}
	op.Attempts++
	found, _, err := c.conn.kv.List(prefix, c.read[s.mode])
	if err == nil {
		s.take(found, op)
	}
	return err
}

func extent(op *drivers.Op) []byte {
	if len(op.End) == 0 {
		return op.Key
	}
	return commonPrefix(op.Key, op.End)
}

func (scan) prepare(*calls, *drivers.Op) error { return nil }

func (scan) entries() int { return many }

func (scan) verbs(list api.TxnOps, op *drivers.Op) api.TxnOps {
	return append(list, verb(api.KVGetTree, extent(op), nil, 0))
}

func (scan) take(found []*api.KVPair, op *drivers.Op) {
	key, end := string(op.Key), string(op.End)
	for _, pair := range found {
		if pair.Key < key || end != "" && pair.Key >= end {
			continue
		}
		op.Count++
		op.Bytes += int64(len(pair.Key) + len(pair.Value))
	}
}

// list reads the names one level below a key. Those with levels of their own
// below them come with a slash at their end.
type list struct{ mode mode }

func (l list) do(c *calls, op *drivers.Op) error {
	prefix := string(bytes.TrimSuffix(op.Key, slash))
	if len(prefix) > 0 {
		prefix += "/"
	}
	if !inPath(prefix) {
		return &drivers.Error{Class: drivers.Refused, Err: errors.New("consul: names can't be listed below a key that is no clean path")}
	}
	op.Attempts++
	names, _, err := c.conn.kv.Keys(prefix, string(slash), c.read[l.mode])
	for _, name := range names {
		if name != prefix { // a key may be called like the folder
			op.Count++
			op.Bytes += int64(len(name))
		}
	}
	return err
}

var slash = []byte{'/'} // never changed

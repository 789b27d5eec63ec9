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
	for _, pair := range found {
		if inRange(pair.Key, op) {
			op.Count++
			op.Bytes += int64(len(pair.Key) + len(pair.Value))
		}
	}
}

func inRange(key string, op *drivers.Op) bool {
	return key >= string(op.Key) && (len(op.End) == 0 || key < string(op.End))
}

// errNoList is given once and again: it is never changed.
var errNoList = &drivers.Error{Class: drivers.Refused, Err: errors.New("consul: keys can't be listed below one that is no clean path")}

// scanKeys is a scan that reads keys alone. Transactions have none.
type scanKeys struct{ mode mode }

func (s scanKeys) do(c *calls, op *drivers.Op) error {
	prefix := string(extent(op))
	if !inPath(prefix) {
		return errNoList
	}
	op.Attempts++
	found, _, err := c.conn.kv.Keys(prefix, "", c.read[s.mode])
	for _, key := range found {
		if inRange(key, op) {
			op.Count++
			op.Bytes += int64(len(key))
		}
	}
	return err
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
		return errNoList
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

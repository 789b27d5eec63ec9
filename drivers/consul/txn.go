package consul

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/consul/api"

	"github.com/kvscen/kvscen/drivers"
)

// part is an operation that can stand in a transaction.
type part interface {
	operation
	// prepare does what must be known beforehand, by requests of its own.
	prepare(c *calls, op *drivers.Op) error
	// verbs puts the part into a transaction.
	verbs(list api.TxnOps, op *drivers.Op) api.TxnOps
	// entries is how many entries of the reply are the part's, or many.
	entries() int
	// take reads them.
	take(found []*api.KVPair, op *drivers.Op)
}

// many says that a part has any number of entries in a reply.
const many = -1

// alone is embedded by parts that need nothing beforehand and have one entry.
type alone struct{}

func (alone) prepare(*calls, *drivers.Op) error { return nil }
func (alone) entries() int                      { return 1 }

func verb(v api.KVOp, key, value []byte, index uint64) *api.TxnOp {
	return &api.TxnOp{KV: &api.KVTxnOp{Verb: v, Key: string(key), Value: value, Index: index}}
}

// txn carries out parts in one transaction. It is committed if all swaps in it
// hold and all keys that are read or deleted are there.
type txn struct {
	parts []part
	mode  mode // of its reads; only where it does nothing else
}

func (c *conn) newTxn(spec *drivers.OpSpec) (*txn, error) {
	t := &txn{}
	scans, verbs := 0, 0
	for i := range spec.Ops {
		o, err := c.bind(&spec.Ops[i])
		if err != nil {
			return nil, fmt.Errorf("txn: %w", err)
		}
		p, ok := o.(part)
		if !ok {
			return nil, fmt.Errorf("txn: Consul has no %v in transactions", spec.Ops[i].Kind)
		}
		if p.entries() == many {
			scans++
		}
		verbs += len(p.verbs(nil, &drivers.Op{}))
		t.parts = append(t.parts, p)
	}
	if most := int(c.spec.Limits.Txn); verbs > most {
		return nil, fmt.Errorf("txn: it takes %d operations, the servers take %d in one (option %s)", verbs, most, txnOps)
	}
	if scans > 1 && scans < len(t.parts) {
		return nil, errors.New("txn: several scans beside something else: Consul's reply does not say where one ends and the next begins")
	}
	return t, t.setMode(spec)
}

// setMode finds the consistency. Consul has one for a transaction that only
// reads; one that writes goes through its log.
func (t *txn) setMode(spec *drivers.OpSpec) error {
	writes, seen := false, false
	for i := range spec.Ops {
		if k := spec.Ops[i].Kind; k != drivers.Get && k != drivers.Scan {
			writes = true
			continue
		}
		m, _ := modeOf(&spec.Ops[i]) // bind has found it
		if seen && m != t.mode {
			return fmt.Errorf("txn: reads of the consistencies %q and %q: Consul has one for all", names[t.mode], names[m])
		}
		t.mode, seen = m, true
	}
	if writes && t.mode == stale {
		return fmt.Errorf("txn: %q reads beside writes, which the leader carries out", names[stale])
	}
	return nil
}

func (t *txn) do(c *calls, op *drivers.Op) error {
	var ops api.TxnOps
	for i, p := range t.parts {
		sub := &op.Sub[i]
		sub.Reset()
		err := p.prepare(c, sub)
		op.Attempts += sub.Attempts
		if err != nil {
			return err
		}
		ops = p.verbs(ops, sub)
	}
	op.Attempts++
	found, ok, err := c.commit(ops, t.mode)
	if err != nil || !ok {
		return err
	}
	shares, err := t.share(found, op.Sub)
	if err != nil {
		return err
	}
	op.Found = true
	for i, p := range t.parts {
		sub := &op.Sub[i]
		p.take(shares[i], sub)
		op.Count += sub.Count
		op.Bytes += sub.Bytes
		op.Revision = max(op.Revision, sub.Revision)
	}
	return nil
}

// share tells which entries of a reply are whose: they come in the order of the
// parts. A scan beside other parts has what these leave. Of several scans, which
// see the same keys in ascending order, one ends where a key does not fit it or
// is not above the one before.
func (t *txn) share(found []*api.KVPair, ops []drivers.Op) ([][]*api.KVPair, error) {
	fixed, scans := 0, 0
	for _, p := range t.parts {
		if n := p.entries(); n == many {
			scans++
		} else {
			fixed += n
		}
	}
	if len(found) < fixed || scans == 0 && len(found) > fixed {
		return nil, fmt.Errorf("a reply of %d entries to a transaction of %d parts", len(found), len(t.parts))
	}
	left := len(found) - fixed
	shares := make([][]*api.KVPair, len(t.parts))
	for i, p := range t.parts {
		n := p.entries()
		switch {
		case n == many && scans == 1:
			n = left
		case n == many:
			n = run(found, string(extent(&ops[i])))
		}
		shares[i], found = found[:n], found[n:]
	}
	return shares, nil
}

// run is how many entries at the start of found one scan has read.
func run(found []*api.KVPair, prefix string) int {
	n := 0
	for n < len(found) && strings.HasPrefix(found[n].Key, prefix) && (n == 0 || found[n].Key > found[n-1].Key) {
		n++
	}
	return n
}

// single carries out one part, prepared, as a transaction of its own.
func single(c *calls, p part, m mode, op *drivers.Op) error {
	op.Attempts++
	found, ok, err := c.commit(p.verbs(nil, op), m)
	if err != nil || !ok {
		return err
	}
	if n := p.entries(); n != many && len(found) != n {
		return fmt.Errorf("a reply of %d entries to a transaction of one", len(found))
	}
	p.take(found, op)
	return nil
}

// commit sends a transaction. It reports false where that was rolled back by a
// condition in it.
func (c *calls) commit(ops api.TxnOps, m mode) ([]*api.KVPair, bool, error) {
	reply, ok, err := c.send(ops, m)
	switch {
	case err != nil:
		return nil, false, err
	case !ok:
		return nil, false, rolledBack(reply.Errors)
	}
	found := make([]*api.KVPair, len(reply.Results))
	for i, r := range reply.Results {
		found[i] = r.KV
	}
	return found, true, nil
}

// send sends a transaction, and reports whether it was carried out.
func (c *calls) send(ops api.TxnOps, m mode) (*api.TxnResponse, bool, error) {
	for _, op := range ops {
		if !utf8.ValidString(op.KV.Key) {
			return nil, false, &drivers.Error{Class: drivers.Refused, Err: errors.New("consul: deletes, transactions and looks for existence take keys in UTF-8 only")}
		}
	}
	if c.conn.kvOnly {
		return nil, false, &drivers.Error{Class: drivers.Refused, Err: errors.New("consul: keys that are no clean path need a transaction, which is not served here")}
	}
	ok, reply, _, err := c.conn.client.Txn().Txn(ops, c.read[m])
	return reply, ok, err
}

// rolledBack is nil where conditions alone have kept a transaction back.
func rolledBack(list api.TxnErrors) error {
	for _, e := range list {
		if !strings.Contains(e.What, "index is stale") && !strings.Contains(e.What, "doesn't exist") {
			return fmt.Errorf("the transaction was rolled back: %s", e.What)
		}
	}
	if len(list) == 0 {
		return errors.New("the transaction was rolled back without a reason")
	}
	return nil
}

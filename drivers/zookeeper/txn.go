package zookeeper

import (
	"fmt"

	"github.com/go-zookeeper/zk"

	"github.com/kvscen/kvscen/drivers"
)

// txn carries out operations in one multi. That neither reads nor writes a node
// that may or may not be there: what must be known is read beforehand, and the
// multi checks that it still holds. Where it does not, it is tried again. Only a
// key that was seen missing, and is not written, is not looked at again.
type txn struct{ parts []part }

// part is an operation that can stand in a transaction.
type part interface {
	// stage puts what op asks for into the batch.
	stage(b *batch, op *drivers.Op) error
}

func newTxn(spec *drivers.OpSpec, s *settings) (*txn, error) {
	t := &txn{}
	for i := range spec.Ops {
		o, err := bind(&spec.Ops[i], s)
		if err != nil {
			return nil, fmt.Errorf("txn: %w", err)
		}
		p, ok := o.(part)
		if !ok {
			return nil, fmt.Errorf("txn: %v can't stand in it", spec.Ops[i].Kind)
		}
		t.parts = append(t.parts, p)
	}
	return t, nil
}

func (t *txn) do(c *call, op *drivers.Op) error {
	for range maxTurns {
		b := &batch{call: c, nodes: map[string]*node{}}
		for i, p := range t.parts {
			op.Sub[i].Reset()
			if err := p.stage(b, &op.Sub[i]); err != nil {
				return err
			}
		}
		done, again, err := b.send()
		switch {
		case err != nil:
			return err
		case again:
			continue
		case !done:
			for i := range op.Sub {
				op.Sub[i].Reset()
			}
			return nil
		}
		op.Found = true
		for i := range op.Sub {
			op.Count += op.Sub[i].Count
			op.Bytes += op.Sub[i].Bytes
		}
		return nil
	}
	return errTurns
}

func (p *put) stage(b *batch, op *drivers.Op) error {
	path := b.call.path(op.Key)
	create := p.mode == modeCreate
	if p.mode == modeUpsert {
		n, err := b.node(path)
		if err != nil {
			return err
		}
		create = n.version == missing
	}
	op.Revision = b.write(path, op.Value, anyVersion, create, p.mode != modeUpsert)
	return nil
}

func (g *get) stage(b *batch, op *drivers.Op) error {
	path := b.call.path(op.Key)
	n, err := b.read(path)
	if err != nil || n.version == missing {
		return err
	}
	if !n.own {
		b.add(path, &zk.CheckVersionRequest{Path: path, Version: n.version}, 0, false)
	}
	found(op, n.data, n.version)
	return nil
}

func (remove) stage(b *batch, op *drivers.Op) error {
	path := b.call.path(op.Key)
	n, err := b.node(path)
	if err != nil || n.version == missing {
		return err
	}
	b.add(path, &zk.DeleteRequest{Path: path, Version: anyVersion}, 0, false)
	b.nodes[path] = &node{version: missing, known: true, own: true}
	op.Found, op.Count = true, 1
	return nil
}

func (s *cas) stage(b *batch, op *drivers.Op) error {
	path := b.call.path(op.Key)
	version, current, err := s.expected(op)
	if err == nil && current {
		var n *node
		if n, err = b.node(path); err == nil {
			version = n.version
		}
	}
	if err != nil {
		return err
	}
	op.Found, op.Revision = true, b.write(path, op.Value, version, version == missing, true)
	return nil
}

package zookeeper

import (
	"bytes"
	"cmp"

	"github.com/go-zookeeper/zk"

	"github.com/kvscen/kvscen/drivers"
)

// get reads a node.
type get struct{ strong bool }

func (g *get) do(c *call, op *drivers.Op) error {
	path := c.path(op.Key)
	if g.strong {
		if err := c.sync(path); err != nil {
			return err
		}
	}
	data, stat, err := c.get(path)
	if err == zk.ErrNoNode {
		return nil
	}
	if err != nil {
		return err
	}
	found(op, data, stat.Version)
	return nil
}

// found fills in the results of a read. A node without data was made on the way
// to others: the key is missing.
func found(op *drivers.Op, data []byte, version int32) {
	if data == nil {
		return
	}
	op.Found, op.Count, op.Revision = true, 1, revision(version)
	op.Bytes, op.Read = int64(len(op.Key)+len(data)), data
}

// list reads the names of the nodes below one.
type list struct{ strong bool }

func (l *list) do(c *call, op *drivers.Op) error {
	path := cmp.Or(c.conn.settings.root, "/")
	if key := bytes.TrimSuffix(op.Key, slash); len(key) > 0 {
		path = c.path(key)
	}
	if l.strong {
		if err := c.sync(path); err != nil {
			return err
		}
	}
	names, err := c.children(path)
	if err == zk.ErrNoNode {
		return nil
	}
	if err != nil {
		return err
	}
	op.Count = len(names)
	for _, name := range names {
		op.Bytes += int64(len(name))
	}
	return nil
}

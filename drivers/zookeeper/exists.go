package zookeeper

import (
	"github.com/go-zookeeper/zk"

	"github.com/kvscen/kvscen/drivers"
)

// exists looks whether a node is there. One that was made on the way to others is:
// only its data would tell it from a key with an empty value.
type exists struct{ strong bool }

func (e *exists) do(c *call, op *drivers.Op) error {
	path := c.path(op.Key)
	if e.strong {
		if err := c.sync(path); err != nil {
			return err
		}
	}
	version, err := c.version(path)
	if err != nil || version == missing {
		return err
	}
	op.Found, op.Count, op.Revision = true, 1, revision(version)
	return nil
}

func (e *exists) stage(b *batch, op *drivers.Op) error {
	path := b.call.path(op.Key)
	n, err := b.node(path)
	if err != nil || n.version == missing {
		return err
	}
	if !n.own {
		b.add(path, &zk.CheckVersionRequest{Path: path, Version: n.version}, 0, false)
	}
	op.Found, op.Count, op.Revision = true, 1, revision(n.version)
	return nil
}

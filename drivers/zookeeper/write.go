package zookeeper

import (
	"sync/atomic"

	"github.com/go-zookeeper/zk"

	"github.com/kvscen/kvscen/drivers"
)

// maxTurns bounds how often a request is tried while other clients make and
// delete the same node.
const maxTurns = 100

// put writes a node. ZooKeeper has no write that also creates: an upsert begins
// with what the last one ended with, which is right for all but the first where
// a phase only loads or only updates.
type put struct {
	mode   string
	create atomic.Bool
}

func newPut(mode string) *put {
	p := &put{mode: mode}
	p.create.Store(mode != modeSet)
	return p
}

func (p *put) do(c *call, op *drivers.Op) error {
	path := c.path(op.Key)
	create := p.create.Load()
	for range maxTurns {
		version, err := write(c, path, op.Value, create)
		if p.mode == modeUpsert && (create && err == zk.ErrNodeExists || !create && err == zk.ErrNoNode) {
			create = !create
			continue
		}
		if err == nil {
			op.Revision = revision(version)
			p.create.Store(create)
		}
		return err
	}
	return errTurns
}

// write creates or sets a node and gives its version.
func write(c *call, path string, value []byte, create bool) (int32, error) {
	if create {
		return 0, c.create(path, value, c.conn.settings.flags())
	}
	stat, err := c.set(path, value, anyVersion)
	if err != nil {
		return 0, err
	}
	return stat.Version, nil
}

// remove deletes a node.
type remove struct{}

func (remove) do(c *call, op *drivers.Op) error {
	switch err := c.remove(c.path(op.Key)); err {
	case nil:
		op.Found, op.Count = true, 1
		return nil
	case zk.ErrNoNode:
		return nil
	default:
		return err
	}
}

package zookeeper

import (
	"github.com/go-zookeeper/zk"

	"github.com/kvscen/kvscen/drivers"
)

// appending is a put that creates a sequential node: its name is the key and ten
// digits, which the server counts up for all nodes below one. Revisions are those
// of new nodes.
type appending struct{}

func (appending) do(c *call, op *drivers.Op) error {
	err := c.create(c.path(op.Key), op.Value, c.conn.settings.flags()|zk.FlagSequence)
	if err == nil {
		op.Revision = revision(0)
	}
	return err
}

func (appending) stage(b *batch, op *drivers.Op) error {
	b.append(b.call.path(op.Key), op.Value)
	op.Revision = revision(0)
	return nil
}

package zookeeper

import "github.com/go-zookeeper/zk"

// flags are those of the nodes that stand for keys.
func (s *settings) flags() int32 {
	if s.ephemeral {
		return zk.FlagEphemeral
	}
	return 0
}

// create makes a node and the nodes above it that are missing.
func (c *call) create(path string, value []byte, flags int32) error {
	err := c.createOne(path, value, flags)
	if err != zk.ErrNoNode {
		return err
	}
	if err := c.createAbove(path); err != nil {
		return err
	}
	return c.createOne(path, value, flags)
}

func (c *call) createOne(path string, value []byte, flags int32) error {
	if err := c.begin(len(path) + len(value)); err != nil {
		return err
	}
	_, err := c.conn.zk.Create(path, value, flags, c.conn.settings.acl)
	return err
}

// createAbove makes the nodes above a path, without data.
func (c *call) createAbove(path string) error {
	for _, above := range parents(path) {
		if err := c.createOne(above, nil, 0); err != nil && err != zk.ErrNodeExists {
			return err
		}
	}
	return nil
}

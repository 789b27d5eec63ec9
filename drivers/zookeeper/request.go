package zookeeper

import "github.com/go-zookeeper/zk"

// anyVersion of a node is written or deleted.
const anyVersion = -1

func (c *call) path(key []byte) string { return c.conn.settings.path(key) }

func (c *call) get(path string) ([]byte, *zk.Stat, error) {
	if err := c.begin(len(path)); err != nil {
		return nil, nil, err
	}
	return c.conn.zk.Get(path)
}

func (c *call) exists(path string) (bool, *zk.Stat, error) {
	if err := c.begin(len(path)); err != nil {
		return false, nil, err
	}
	return c.conn.zk.Exists(path)
}

func (c *call) children(path string) ([]string, error) {
	if err := c.begin(len(path)); err != nil {
		return nil, err
	}
	names, _, err := c.conn.zk.Children(path)
	return names, err
}

// sync waits until the member has caught up with the leader.
func (c *call) sync(path string) error {
	if err := c.begin(len(path)); err != nil {
		return err
	}
	_, err := c.conn.zk.Sync(path)
	if err == zk.ErrNoNode { // says a proxy: there is nothing to catch up with
		return nil
	}
	return err
}

func (c *call) set(path string, value []byte, version int32) (*zk.Stat, error) {
	if err := c.begin(len(path) + len(value)); err != nil {
		return nil, err
	}
	return c.conn.zk.Set(path, value, version)
}

func (c *call) remove(path string) error {
	if err := c.begin(len(path)); err != nil {
		return err
	}
	return c.conn.zk.Delete(path, anyVersion)
}

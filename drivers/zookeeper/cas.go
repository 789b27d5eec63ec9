package zookeeper

import (
	"fmt"
	"math"

	"github.com/go-zookeeper/zk"

	"github.com/kvscen/kvscen/drivers"
)

// cas writes a node if its version is the one expected. A version counts from
// the node's creation: it tells nothing of a node that was deleted and made
// again in between.
type cas struct{ absent bool } // absent: whatever op says, it must not exist

// missing is the version of a node that does not exist.
const missing = -1

func (s *cas) do(c *call, op *drivers.Op) error {
	path := c.path(op.Key)
	version, current, err := s.expected(op)
	if err == nil && current {
		version, err = c.version(path)
	}
	if err != nil {
		return err
	}
	next := int32(0)
	if version == missing {
		err = c.create(path, op.Value, c.conn.settings.flags())
	} else {
		var stat *zk.Stat
		if stat, err = c.set(path, op.Value, version); err == nil {
			next = stat.Version
		}
	}
	switch {
	case lost(err):
		return nil
	case err != nil:
		return err
	}
	op.Found, op.Revision = true, revision(next)
	return nil
}

// expected is the version that op asks for, unless it is the current one.
func (s *cas) expected(op *drivers.Op) (version int32, current bool, err error) {
	switch {
	case s.absent || op.Expected == drivers.ExpectAbsent:
		return missing, false, nil
	case op.Expected == drivers.ExpectCurrent:
		return 0, true, nil
	case op.Expected < 0 || op.Expected > math.MaxInt32:
		return 0, false, fmt.Errorf("cas on revision %d: want at most %d", op.Expected, math.MaxInt32)
	}
	return int32(op.Expected - 1), false, nil
}

// version of a node, as the member knows it.
func (c *call) version(path string) (int32, error) {
	there, stat, err := c.exists(path)
	if err != nil {
		return 0, err
	}
	if !there {
		return missing, nil
	}
	return stat.Version, nil
}

// lost reports whether a condition did not hold.
func lost(err error) bool {
	return err == zk.ErrBadVersion || err == zk.ErrNodeExists || err == zk.ErrNoNode
}

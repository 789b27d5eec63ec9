package zookeeper

import (
	"github.com/go-zookeeper/zk"
)

// batch is a multi in the making.
type batch struct {
	call  *call
	nodes map[string]*node // as they are after the operations so far
	ops   []any
	notes []note // of ops
	size  int
}

// node is what is known of one.
type node struct {
	version int32 // missing: it does not exist
	data    []byte
	known   bool // data is
	own     bool // by an operation of the batch
}

// note says of an operation of a multi what its failure means.
type note struct {
	path   string
	create bool
	asked  bool // its condition is the scenario's: the transaction is lost. Else it is ours, and the nodes are read again.
}

// node asks for a node, unless it is known.
func (b *batch) node(path string) (*node, error) {
	if n := b.nodes[path]; n != nil {
		return n, nil
	}
	version, err := b.call.version(path)
	if err != nil {
		return nil, err
	}
	n := &node{version: version}
	b.nodes[path] = n
	return n, nil
}

// read asks for a node and its data, unless they are known.
func (b *batch) read(path string) (*node, error) {
	if n := b.nodes[path]; n != nil && n.known {
		return n, nil
	}
	data, stat, err := b.call.get(path)
	n := &node{version: missing, known: true}
	switch err {
	case nil:
		n.version, n.data = stat.Version, data
	case zk.ErrNoNode:
	default:
		return nil, err
	}
	b.nodes[path] = n
	return n, nil
}

// append creates a node whose name the server completes.
func (b *batch) append(path string, value []byte) {
	s := &b.call.conn.settings
	b.add(path, &zk.CreateRequest{Path: path, Data: value, Acl: s.acl, Flags: s.flags() | zk.FlagSequence}, len(value), true)
}

// write creates a node, or sets it if its version is the one given, and gives its
// revision afterwards; 0: not known.
func (b *batch) write(path string, value []byte, version int32, create, asked bool) int64 {
	n := &node{data: value, known: true, own: true}
	known := create
	if create {
		s := &b.call.conn.settings
		b.add(path, &zk.CreateRequest{Path: path, Data: value, Acl: s.acl, Flags: s.flags()}, len(value), asked)
	} else {
		b.add(path, &zk.SetDataRequest{Path: path, Data: value, Version: version}, len(value), asked)
		before := b.nodes[path]
		if version == anyVersion && before != nil {
			version = before.version
		}
		n.version, known = version+1, version != anyVersion
	}
	b.nodes[path] = n
	if !known {
		return 0
	}
	return revision(n.version)
}

func (b *batch) add(path string, op any, size int, asked bool) {
	_, create := op.(*zk.CreateRequest)
	b.ops = append(b.ops, op)
	b.notes = append(b.notes, note{path: path, create: create, asked: asked})
	b.size += len(path) + size + overhead
}

// send carries out the batch: it is done, or a condition of the scenario did not
// hold, or it is to be made again.
func (b *batch) send() (done, again bool, err error) {
	if len(b.ops) == 0 {
		return true, false, nil
	}
	results, err := b.call.multi(b.ops, b.size)
	if err == nil {
		return true, false, nil
	}
	for i, r := range results {
		if r.Error == nil || i >= len(b.notes) {
			continue
		}
		n := b.notes[i] // the first that failed, for which all did
		switch {
		case n.create && r.Error == zk.ErrNoNode:
			err = b.call.createAbove(n.path)
			return false, err == nil, err
		case !lost(r.Error):
			return false, false, r.Error
		}
		return false, !n.asked, nil
	}
	return false, false, err
}

func (c *call) multi(ops []any, size int) ([]zk.MultiResponse, error) {
	if err := c.begin(size); err != nil {
		return nil, err
	}
	return c.conn.zk.Multi(ops...)
}

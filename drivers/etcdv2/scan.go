package etcdv2

import (
	"context"
	"strings"

	v2 "go.etcd.io/etcd/client/v2"

	"github.com/kvscen/kvscen/drivers"
)

// scan reads what the API can read in one request: a directory with all that is
// below it. Without an end that is the one in which the keys that begin with the
// key are; with one the one that both ends have in common. What lies outside of
// them is left out afterwards.
func (c *client) scan(ctx context.Context, spec *drivers.OpSpec, op *drivers.Op) error {
	reply, err := c.keys.Get(ctx, dirOf(extent(op)), &v2.GetOptions{Recursive: true, Sort: true, Quorum: spec.Consistency == byQuorum})
	if isMissing(err) {
		return nil
	}
	if err != nil {
		return err
	}
	op.Revision = int64(reply.Index)
	gather(reply.Node, op)
	return nil
}

// extent is what the keys that are asked for begin with.
func extent(op *drivers.Op) []byte {
	if len(op.End) == 0 {
		return op.Key
	}
	n := 0
	for n < min(len(op.Key), len(op.End)) && op.Key[n] == op.End[n] {
		n++
	}
	return op.Key[:n]
}

// gather counts the keys of a directory and of those in it that were asked for.
func gather(n *v2.Node, op *drivers.Op) {
	if n.Dir {
		for _, below := range n.Nodes {
			gather(below, op)
		}
		return
	}
	if key := keyOf(n.Key); inRange(key, op) {
		op.Count++
		op.Bytes += int64(len(key) + valueLen(n.Value))
	}
}

func inRange(key string, op *drivers.Op) bool {
	if len(op.End) == 0 {
		return strings.HasPrefix(key, string(op.Key))
	}
	return key >= string(op.Key) && key < string(op.End)
}

package consul

import (
	"fmt"
	"strings"

	"github.com/hashicorp/consul/api"

	"github.com/kvscen/kvscen/drivers"
)

// exists looks whether a key is there without reading its value: in a
// transaction of one condition, which a key that is there rolls back. A list of
// keys would give all that begin with it.
type exists struct{ mode mode }

func (e exists) do(c *calls, op *drivers.Op) error {
	op.Attempts++
	reply, ok, err := c.send(api.TxnOps{verb(api.KVCheckNotExists, op.Key, nil, 0)}, e.mode)
	switch {
	case err != nil:
		return err
	case ok:
		return nil
	case len(reply.Errors) == 1 && strings.HasSuffix(reply.Errors[0].What, fmt.Sprintf("key %q exists", op.Key)):
		op.Found = true
		return nil
	}
	return rolledBack(reply.Errors)
}

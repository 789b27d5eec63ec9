package cassandra

import (
	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/kvscen/kvscen/drivers"
)

// get reads a row.
type get struct {
	*place
	value    sink
	revision number
	pick     *gocql.Query
	into     []any
}

func newGet(p *preparer, keep bool) *get {
	o := &get{place: p.place(), value: sink{keep: keep}}
	o.into = []any{&o.value, &o.revision}
	o.pick = p.statement("SELECT v, r FROM %s WHERE "+p.where(), p.level, o.args()...)
	return o
}

func (o *get) do(c *calls, op *drivers.Op) error {
	o.set(op.Key)
	rows := o.pick.IterContext(c)
	found := rows.Scan(o.into...)
	if err := rows.Close(); err != nil || !found {
		return err
	}
	op.Found, op.Count, op.Bytes, op.Revision = true, 1, int64(len(op.Key)+o.value.size), o.revision.value
	if o.value.keep {
		op.Read = o.value.data
	}
	return nil
}

// exists looks whether a row is there.
type exists struct {
	*place
	pick *gocql.Query
}

func newExists(p *preparer) *exists {
	o := &exists{place: p.place()}
	o.pick = p.statement("SELECT k FROM %s WHERE "+p.where(), p.level, o.args()...)
	return o
}

func (o *exists) do(c *calls, op *drivers.Op) error {
	found, err := o.there(c, op.Key)
	op.Found = found
	return err
}

func (o *exists) there(c *calls, key []byte) (bool, error) {
	o.set(key)
	rows := o.pick.IterContext(c)
	found := rows.NumRows() > 0
	return found, rows.Close()
}

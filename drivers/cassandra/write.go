package cassandra

import (
	"fmt"
	"math/rand/v2"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/kvscen/kvscen/drivers"
)

// put writes a row, whether it is there or not.
type put struct {
	*place
	value    blob
	revision number
	insert   *gocql.Query
}

func newPut(p *preparer, spec *drivers.OpSpec) (*put, error) {
	using, err := ttl(spec.TTL)
	o := &put{place: p.place()}
	columns, marks := p.key()
	o.insert = p.statement("INSERT INTO %s ("+columns+", v, r) VALUES ("+marks+", ?, ?)"+using, p.level, o.values()...)
	return o, err
}

// values are those of the row, in the order of its columns.
func (o *put) values() []any { return append(o.args(), &o.value, &o.revision) }

func (o *put) do(c *calls, op *drivers.Op) error {
	if err := c.conn.fits(len(op.Key) + len(op.Value)); err != nil {
		return err
	}
	o.take(op)
	if err := execute(c, o.insert); err != nil {
		return err
	}
	op.Revision = o.revision.value
	return nil
}

// take sets what is to be written.
func (o *put) take(op *drivers.Op) {
	o.set(op.Key)
	o.value, o.revision.value = op.Value, newRevision()
}

// execute sends a plain write.
func execute(c *calls, q *gocql.Query) error {
	if t, ok := c.conn.stamp(); ok {
		q.WithTimestamp(t)
	}
	return q.ExecContext(c)
}

// newRevision is a number that no other write has given its row.
func newRevision() int64 { return rand.Int64N(1<<63-1) + 1 }

// ttl is the clause for a time to live.
func ttl(d time.Duration) (string, error) {
	const most = 20 * 365 * 24 * time.Hour
	switch {
	case d == 0:
		return "", nil
	case d < 0 || d%time.Second != 0 || d > most:
		return "", fmt.Errorf("ttl %v: want whole seconds, which is what Cassandra counts, up to 20 years", d)
	}
	return fmt.Sprintf(" USING TTL %d", d/time.Second), nil
}

// remove deletes a row. Cassandra does not say whether there was one, so that it
// is looked for first.
type remove struct {
	*place
	look  *exists // nil: it is taken to be there
	erase *gocql.Query
}

func newRemove(p *preparer) *remove {
	o := &remove{place: p.place()}
	if !p.conn.settings.blind {
		reader := *p
		if reader.level == gocql.Any {
			reader.level = gocql.One // no read can be of ANY
		}
		if reader.level == gocql.EachQuorum {
			reader.level = gocql.Quorum // nor of EACH_QUORUM, in 2.1
		}
		o.look = newExists(&reader)
		p.err = reader.err
	}
	o.erase = p.statement("DELETE FROM %s WHERE "+p.where(), p.level, o.args()...)
	return o
}

func (o *remove) do(c *calls, op *drivers.Op) error {
	there, err := o.prepare(c, op)
	if err != nil || !there {
		return err
	}
	if err := execute(c, o.erase); err != nil {
		return err
	}
	op.Found, op.Count = true, 1
	return nil
}

// prepare finds out whether there is something to delete.
func (o *remove) prepare(c *calls, op *drivers.Op) (bool, error) {
	o.set(op.Key)
	if o.look == nil {
		return true, nil
	}
	return o.look.there(c, op.Key)
}

package cassandra

import (
	"fmt"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/kvscen/kvscen/drivers"
)

// txn carries out writes in one batch. Others may see it half done: Cassandra
// keeps apart what a batch does in one partition only. What is deleted is looked
// for beforehand, as it is without a batch. The consistency is the batch's own,
// whatever those of its parts are.
type txn struct {
	parts []part
	batch *gocql.Batch
	doing []gocql.BatchEntry // one for each part
}

// part is a write that can stand in a batch.
type part interface {
	operation
	// stage sets what is to be written, and reports false where there is nothing.
	stage(c *calls, op *drivers.Op) (bool, error)
	// entry is the part's statement and its values.
	entry() gocql.BatchEntry
}

func newTxn(p *preparer, spec *drivers.OpSpec) (*txn, error) {
	kind := gocql.LoggedBatch
	if !p.conn.settings.logged {
		kind = gocql.UnloggedBatch
	}
	t := &txn{batch: p.conn.session.Batch(kind).Consistency(p.level)}
	for i := range spec.Ops {
		var o part
		var err error
		switch sub := &spec.Ops[i]; sub.Kind {
		case drivers.Put:
			o, err = newPut(p, sub)
		case drivers.Delete:
			o = newRemove(p)
		default:
			err = fmt.Errorf("a batch of Cassandra can't hold %v", sub.Kind)
		}
		if err != nil {
			return nil, fmt.Errorf("txn: %w", err)
		}
		t.parts, t.doing = append(t.parts, o), append(t.doing, o.entry())
	}
	return t, nil
}

func (t *txn) do(c *calls, op *drivers.Op) error {
	bytes := 0
	for i := range op.Sub {
		bytes += len(op.Sub[i].Key) + len(op.Sub[i].Value) + surroundings
	}
	if err := c.conn.fits(bytes); err != nil {
		return err
	}
	t.batch.Entries = t.batch.Entries[:0]
	for i, p := range t.parts {
		sub := &op.Sub[i]
		sub.Reset()
		there, err := p.stage(c, sub)
		if err != nil {
			return err
		}
		if there {
			t.batch.Entries = append(t.batch.Entries, t.doing[i])
		}
		op.Count += sub.Count
	}
	op.Found = true
	if len(t.batch.Entries) == 0 {
		return nil
	}
	if stamp, ok := c.conn.stamp(); ok {
		t.batch.WithTimestamp(stamp)
	}
	return t.batch.ExecContext(c)
}

func (o *put) stage(_ *calls, op *drivers.Op) (bool, error) {
	o.take(op)
	op.Revision = o.revision.value
	return true, nil
}

func (o *put) entry() gocql.BatchEntry {
	return gocql.BatchEntry{Stmt: o.insert.Statement(), Args: o.values()}
}

func (o *remove) stage(c *calls, op *drivers.Op) (bool, error) {
	there, err := o.prepare(c, op)
	if there {
		op.Found, op.Count = true, 1
	}
	return there, err
}

func (o *remove) entry() gocql.BatchEntry {
	return gocql.BatchEntry{Stmt: o.erase.Statement(), Args: o.args()}
}

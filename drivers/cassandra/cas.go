package cassandra

import (
	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/kvscen/kvscen/drivers"
)

// cas writes a row if its revision is the one expected, as a light-weight
// transaction.
type cas struct {
	put
	absent   bool // whatever op says, the row must not exist
	expected number
	current  number
	look     *gocql.Query // what is the revision?
	swap     *gocql.Query
	create   *gocql.Query
	verdict  bool
	into     []any // of a reply: the verdict, and columns that are left alone
}

// columns is how many a row has, the verdict before them included.
const columns = 5

func newCAS(p *preparer, absent bool) *cas {
	o := &cas{put: put{place: p.place()}, absent: absent, into: make([]any, columns)}
	o.into[0] = &o.verdict
	commit, reads := p.conn.settings.commit, gocql.Quorum
	if p.level == gocql.LocalSerial {
		reads = gocql.LocalQuorum
	}
	keys, marks := p.key()
	o.look = p.statement("SELECT r FROM %s WHERE "+p.where(), reads, o.args()...)
	o.swap = p.statement("UPDATE %s SET v = ?, r = ? WHERE "+p.where()+" IF r = ?", commit,
		append(append([]any{&o.value, &o.revision}, o.args()...), &o.expected)...)
	o.create = p.statement("INSERT INTO %s ("+keys+", v, r) VALUES ("+marks+", ?, ?) IF NOT EXISTS", commit, o.values()...)
	for _, q := range []*gocql.Query{o.swap, o.create} {
		// The reply has other columns where the condition does not hold.
		q.SerialConsistency(p.level).NoSkipMetadata()
	}
	return o
}

func (o *cas) do(c *calls, op *drivers.Op) error {
	if err := c.conn.fits(len(op.Key) + len(op.Value)); err != nil {
		return err
	}
	o.take(op)
	o.expected.value = op.Expected
	switch {
	case o.absent:
		o.expected.value = drivers.ExpectAbsent
	case op.Expected == drivers.ExpectCurrent:
		rows := o.look.IterContext(c)
		o.current.value = drivers.ExpectAbsent
		rows.Scan(&o.current)
		if err := rows.Close(); err != nil {
			return err
		}
		o.expected = o.current
	}
	query := o.swap
	if o.expected.value == drivers.ExpectAbsent {
		query = o.create
	}
	done, err := o.decide(c, query)
	if err == nil && done {
		op.Found, op.Revision = true, o.revision.value
	}
	return err
}

// decide sends a conditional write and reads whether it was done.
func (o *cas) decide(c *calls, query *gocql.Query) (bool, error) {
	o.verdict = false
	rows := query.IterContext(c)
	if n := len(rows.Columns()); n > 0 && n <= columns {
		rows.Scan(o.into[:n]...)
	}
	return o.verdict, rows.Close()
}

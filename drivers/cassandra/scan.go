package cassandra

import (
	"fmt"
	"strings"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/kvscen/kvscen/drivers"
)

// scan reads rows from a key on. The member gathers them from all partitions.
// With a limit it has to put them in order, which it can't do page by page: then
// they come in one reply. Without one all are wanted, in whatever order.
type scan struct {
	from, end blob
	key       sink
	value     sink
	open      *gocql.Query // without an end
	closed    *gocql.Query
	into      []any
}

func newScan(p *preparer, spec *drivers.OpSpec) (*scan, error) {
	partitions := p.conn.settings.partitions
	if spec.Limit < 0 {
		return nil, fmt.Errorf("scan with limit %d: want at least 0", spec.Limit)
	}
	o := &scan{}
	o.into = []any{&o.key, &o.value}
	columns := "k, v"
	if spec.KeysOnly {
		columns, o.into = "k", o.into[:1]
	}
	order := ""
	if spec.Limit > 0 {
		order = fmt.Sprintf(" LIMIT %d", spec.Limit)
		if partitions > 1 {
			order = " ORDER BY k" + order
		}
	}
	text := "SELECT " + columns + " FROM %s WHERE " + oneOf(partitions) + " AND k >= ?"
	o.open = p.statement(text+order, p.level, &o.from)
	o.closed = p.statement(text+" AND k < ?"+order, p.level, &o.from, &o.end)
	if spec.Limit > 0 && partitions > 1 {
		o.open.PageSize(0)
		o.closed.PageSize(0)
	}
	return o, nil
}

// oneOf is the condition that holds for all partitions.
func oneOf(partitions int64) string {
	if partitions == 1 {
		return "p = 0"
	}
	var b strings.Builder
	b.WriteString("p IN (0")
	for i := int64(1); i < partitions; i++ {
		fmt.Fprintf(&b, ", %d", i)
	}
	return b.String() + ")"
}

func (o *scan) do(c *calls, op *drivers.Op) error {
	o.from, o.end = op.Key, op.End
	query := o.closed
	if len(op.End) == 0 {
		query = o.open
	}
	o.value.size = 0
	rows := query.IterContext(c)
	for rows.Scan(o.into...) {
		op.Count++
		op.Bytes += int64(o.key.size + o.value.size)
	}
	return rows.Close()
}

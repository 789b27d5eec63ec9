package report

import (
	"fmt"

	"github.com/kvscen/kvscen/internal/result"
)

// cellRoom is how wide a cell with a reason may be; longer ones are notes.
const cellRoom = 22

// summaryGrid is the table of a measured phase, one column a cluster.
func summaryGrid(phase string, columns []*column, room int) (*grid, *notes) {
	g := &grid{head: []string{shorten(phase, 37)}, left: 1}
	for _, c := range columns {
		g.head = append(g.head, c.heading())
	}
	n := &notes{room: room}
	add := func(rows []row) {
		for _, r := range rows {
			line := []string{r.name}
			for _, c := range columns {
				line = append(line, r.cell(c, n))
			}
			g.rows = append(g.rows, line)
		}
	}
	add(classicRows())
	g.rows = append(g.rows, make([]string, len(g.head)))
	add(ownRows(columns))
	return g, n
}

// summary writes it.
func summary(to page, phase string, columns []*column) error {
	if err := to.table(summaryGrid(phase, columns, cellRoom)); err != nil {
		return err
	}
	for _, c := range columns {
		if missed := c.view.Counts.Missed; missed > 0 {
			to.line("", fmt.Sprintf("%s: latencies leave %s missed requests out, but for the rows that say \"with missed\".",
				shorten(c.label, 24), whole(float64(missed))))
		}
	}
	return nil
}

// operations writes a table of the operations of a mix, steps and repetitions
// merged. A phase of one operation needs none.
func operations(to page, r *result.Run, phase string, columns []*column) error {
	g := grid{left: 2, head: []string{
		"cluster", "operation", "ok", "failed", "req/sec", "mean ms", "p50 ms", "p99 ms", "p99.9 ms", "found", "entries", "written", "read",
	}}
	n := &notes{}
	mixed := false
	for _, c := range columns {
		ops := distinctOps(c.phases)
		mixed = mixed || len(ops) > 1
		for _, op := range ops {
			v, err := r.View(result.Selection{Cluster: c.label, Phase: phase, Repetition: result.Merged, Step: result.Merged, Op: op.Name})
			if err != nil {
				return err
			}
			g.rows = append(g.rows, operationLine(c, op.Name, v, n))
		}
	}
	if !mixed {
		return nil
	}
	to.section("Operations")
	return to.table(&g, n)
}

func operationLine(c *column, op string, v *result.View, n *notes) []string {
	cell := func(metric string, as func(float64) string) string { return n.cell(v.Metric(metric), as) }
	return []string{
		shorten(c.label, 24), shorten(op, 24),
		cell("ok", whole), cell("failed", whole), cell("throughput", cellThroughput),
		cell("mean", cellMilliseconds), cell("p50", cellMilliseconds), cell("p99", cellMilliseconds), cell("p99.9", cellMilliseconds),
		cell("found", whole), cell("entries", whole), cell("written_bytes", size), cell("read_bytes", size),
	}
}

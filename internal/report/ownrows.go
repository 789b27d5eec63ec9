package report

import (
	"slices"
	"strings"

	"github.com/kvscen/kvscen/internal/result"
)

// ownRows are the rows of kvscen's own, below dbtester's. Those that say nothing
// in any of the columns are left out; without columns all of them are given.
func ownRows(columns []*column) []row {
	any := func(ask func(*column) bool) bool {
		return len(columns) == 0 || slices.ContainsFunc(columns, ask)
	}
	rows := []row{
		figure("Latency p99.99", "p99.99", milliseconds, "as the rows above"),
		figure("missed", "missed", whole, "requests that were due before the end and never started; while there are any, latency expectations fail"),
	}
	if any(func(c *column) bool { return c.view.Counts.Missed > 0 }) {
		for _, p := range result.Percentiles() {
			rows = append(rows, figure(p+" with missed", "charged."+p, milliseconds,
				"response percentile with the missed requests charged at (end - due)"))
		}
	}
	if any(func(c *column) bool { return !c.view.Closed }) {
		rows = append(rows,
			figure("response p99", "response.p99", milliseconds, "end - due"),
			figure("service p99", "service.p99", milliseconds, "end - start"),
			figure("lag p50", "lag.p50", milliseconds, "start - due: the client's own lateness"),
			figure("lag p99", "lag.p99", milliseconds, "start - due"),
		)
	}
	if any(func(c *column) bool { return c.view.Counts.Failed > 0 }) {
		rows = append(rows,
			figure("failed p50", "failed.p50", milliseconds, "service time of failed requests"),
			figure("failed p99", "failed.p99", milliseconds, "service time of failed requests"),
		)
	}
	if any(finds) {
		rows = append(rows, figure("found", "found", whole, "ok requests that found their key; of cas: that swapped; of txn: that committed"))
	}
	rows = append(rows,
		row{name: "leader", formula: "member that led, at the ends of the steps", cell: leader},
		figure("leader max CPU", "leader_max_cpu", percent, "largest one-second CPU of the leader"),
		figure("requests per server CPU second", "requests_per_cpu_second", whole, "ok requests / CPU seconds of all members in W"),
	)
	rows = append(rows, payloadRows(any(sends), any(receives))...)
	rows = append(rows,
		figure("disk bytes written per payload byte", "disk_bytes_per_payload_byte", ratio, "sectors written x 512, all data devices / bytes of keys and values sent"),
		figure("warm-up cut", "warmup", whole, "requests sent first, which nothing else counts"),
		figure("retries in the client", "retries", whole, "attempts that the client library made of its own, beyond those a request needs"),
	)
	if any(func(c *column) bool { return len(c.runs) > 1 }) {
		rows = append(rows,
			spread("throughput over runs", "throughput", throughput, "AVG-THROUGHPUT of the slowest and of the fastest run"),
			spread("p99 over runs", "p99", milliseconds, "Latency p99 of the best and of the worst run"),
		)
	}
	rows = append(rows, markerRows(columns)...)
	return append(rows, row{name: "marks of trust", formula: "doubts about the phase, each given below with the number that raised it", cell: marks})
}

// finds reports whether the phase has an operation that may find its key or not:
// any but put.
func finds(c *column) bool {
	return slices.ContainsFunc(distinctOps(c.phases), func(o result.Op) bool { return !strings.HasPrefix(o.Name, "put") })
}

// spread makes a row of a metric's smallest and largest value over runs.
func spread(name, metric string, as func(float64) string, formula string) row {
	return row{name: name, formula: formula, cell: func(c *column, n *notes) string {
		if len(c.runs) < 2 {
			return "one run"
		}
		lowest, highest := result.Spread(c.runs, metric)
		if !lowest.OK() {
			return n.cell(lowest, as)
		}
		return as(lowest.V) + " to " + as(highest.V)
	}}
}

// markerRows counts the lines of the stores' logs that matched, a row a label. The
// labels of which no cluster has a line are one row, which says that there is none.
func markerRows(columns []*column) []row {
	const formula = "lines of the members' logs that matched the marker"
	if len(columns) == 0 {
		return []row{{name: "marker LABEL", formula: formula}}
	}
	var rows []row
	var silent []string
	for _, label := range markerLabels(columns) {
		if !slices.ContainsFunc(columns, func(c *column) bool { n, _ := c.markers(label); return n > 0 }) {
			silent = append(silent, label)
			continue
		}
		rows = append(rows, row{name: "marker " + shorten(label, 28), formula: formula, cell: func(c *column, n *notes) string {
			return marked(c, n, label)
		}})
	}
	if len(silent) > 0 {
		name := "other markers"
		if len(rows) == 0 {
			name = "markers"
		}
		rows = append(rows, row{name: name, formula: "the same for " + strings.Join(silent, ", "), cell: func(c *column, n *notes) string {
			return marked(c, n, silent...)
		}})
	}
	return rows
}

// markerLabels are those of all columns, sorted.
func markerLabels(columns []*column) []string {
	var labels []string
	for _, c := range columns {
		for _, p := range c.phases {
			for _, m := range p.Markers {
				labels = append(labels, m.Label)
			}
		}
	}
	slices.Sort(labels)
	return slices.Compact(labels)
}

// marked counts the lines with some labels, if they were looked for.
func marked(c *column, notes *notes, labels ...string) string {
	sum, sought := 0, false
	for _, label := range labels {
		n, ok := c.markers(label)
		sum, sought = sum+n, sought || ok
	}
	if !sought {
		return notes.cell(result.NA("not looked for"), whole)
	}
	return whole(float64(sum))
}

func leader(c *column, n *notes) string {
	switch {
	case c.view.Used.InProcess:
		return n.cell(result.NA("in process"), whole)
	case len(c.view.Used.Leaders) == 0:
		return n.cell(result.NA("not known"), whole)
	}
	return shorten(strings.Join(c.view.Used.Leaders, ", "), 28)
}

func marks(c *column, _ *notes) string {
	all, bad := c.marks()
	switch {
	case all == 0:
		return "none"
	case bad == 0:
		return whole(float64(all))
	default:
		return whole(float64(all)) + ", " + whole(float64(bad)) + " bad"
	}
}

package report

import (
	"fmt"
	"strconv"

	"github.com/kvscen/kvscen/internal/result"
)

// stepTable is the table of one cluster's steps, a line for each step of each
// repetition. Columns that say nothing in any line are left out.
type stepTable struct {
	runs, open, missed bool
	sent, received     bool // payload a second, where it is much
	notes              notes
}

// steps writes a table for each cluster: side by side they would be too wide.
func steps(to page, r *result.Run, phase string, columns []*column) error {
	for _, c := range columns {
		title := "Steps"
		if len(columns) > 1 {
			title += " on " + shorten(c.label, 60)
		}
		to.section(title)
		t := stepTable{runs: len(c.runs) > 1, open: !c.view.Closed, missed: c.view.Counts.Missed > 0,
			sent: sends(c), received: receives(c)}
		if err := t.write(to, r, phase, c); err != nil {
			return err
		}
	}
	endings(to, columns)
	return nil
}

func (t *stepTable) write(to page, r *result.Run, phase string, c *column) error {
	g := grid{head: t.head()}
	for i, p := range c.phases {
		for s := range p.Steps {
			v, err := r.View(result.Selection{Cluster: c.label, Phase: phase, Repetition: c.number[i] - 1, Step: s})
			if err != nil {
				return err
			}
			g.rows = append(g.rows, t.line(&p.Steps[s], v))
		}
	}
	return to.table(&g, &t.notes)
}

func (t *stepTable) head() []string {
	var head []string
	add := func(show bool, names ...string) {
		if show {
			head = append(head, names...)
		}
	}
	add(t.runs, "run")
	add(true, "step", "clients", "conns")
	add(t.open, "rate")
	add(true, "requests", "ok", "failed")
	add(t.missed, "missed")
	add(true, "sec", "req/sec")
	add(t.sent, "sent MB/sec")
	add(t.received, "received MB/sec")
	add(true, "mean ms", "p50 ms", "p99 ms", "p99.9 ms", "server %", "client %")
	return head
}

// line fills in a step; "server %" and "client %" are the largest one-second CPU
// of a member and of kvscen.
func (t *stepTable) line(s *result.Step, v *result.View) []string {
	cell := func(metric string, as func(float64) string) string { return t.notes.cell(v.Metric(metric), as) }
	var line []string
	add := func(show bool, cells ...string) {
		if show {
			line = append(line, cells...)
		}
	}
	add(t.runs, strconv.Itoa(v.Selection.Repetition+1))
	add(true, strconv.Itoa(v.Selection.Step+1), whole(float64(s.Clients)), whole(float64(s.Connections)))
	add(t.open, rate(s))
	add(true, cell("requests", whole), cell("ok", whole), cell("failed", whole))
	add(t.missed, cell("missed", whole))
	add(true, cell("seconds", ratio), cell("throughput", cellThroughput))
	add(t.sent, cell("write_throughput", cellMegabytes))
	add(t.received, cell("read_throughput", cellMegabytes))
	add(true, cell("mean", cellMilliseconds), cell("p50", cellMilliseconds), cell("p99", cellMilliseconds), cell("p99.9", cellMilliseconds),
		cell("server_max_cpu", ratio), cell("client_max_cpu", ratio))
	return line
}

func rate(s *result.Step) string {
	if !s.Open {
		return "closed loop"
	}
	return shorten(s.Rate, 24)
}

func cellThroughput(v float64) string {
	if v < 10 {
		return decimals(v, 2)
	}
	return whole(v)
}

// endings names the steps that did not end as planned, and why phases ended
// early.
func endings(to page, columns []*column) {
	for _, c := range columns {
		for i, p := range c.phases {
			for s := range p.Steps {
				by := p.Steps[s].EndedBy
				if asPlanned(by) {
					continue
				}
				text := fmt.Sprintf("%s, step %d ended by %s", c.place(i), s+1, clean(by))
				if undue := p.Steps[s].Counts.Undue; undue > 0 {
					text += fmt.Sprintf(": %s requests never became due", whole(float64(undue)))
				}
				to.line("", text)
			}
			if p.Error != "" {
				to.line(c.place(i)+" ended early:", clean(p.Error))
			}
		}
	}
}

// asPlanned reports whether a step ended as it was asked to, by what ended it.
func asPlanned(by string) bool {
	return by == "" || by == "requests" || by == "duration" || by == "parallel"
}

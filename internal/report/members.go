package report

import (
	"fmt"

	"github.com/kvscen/kvscen/internal/result"
)

// members writes a line for each member of the measured clusters: a mean over
// them would hide the busiest one. A store inside kvscen has none.
func members(to page, r *result.Run, phase string, columns []*column) error {
	g := grid{left: 4, head: []string{
		"cluster", "member", "host", "leader", "max CPU %", "CPU sec", "max memory", "disk written", "disk usage", "received", "sent",
	}}
	n := &notes{}
	for _, c := range columns {
		if c.view.Used.InProcess {
			continue
		}
		list, err := r.MembersUsed(result.Selection{Cluster: c.label, Phase: phase, Repetition: result.Merged, Step: result.Merged})
		if err != nil {
			return err
		}
		for i := range list {
			g.rows = append(g.rows, memberLine(c, &list[i], n))
		}
	}
	if len(g.rows) == 0 {
		return nil
	}
	to.section("Members")
	return to.table(&g, n)
}

func memberLine(c *column, m *result.MemberUsed, n *notes) []string {
	return []string{
		shorten(c.label, 24), shorten(m.Name, 24), shorten(m.Host, 40), led(m),
		n.cell(m.MaxCPU, ratio), n.cell(m.CPUSeconds, ratio), n.cell(m.MaxRSS, size), n.cell(m.WriteBytes, size), n.cell(m.DiskUsage, size),
		n.cell(m.HostRX, size), n.cell(m.HostTX, size),
	}
}

// led says for how many of its steps a member was the leader at the end.
func led(m *result.MemberUsed) string {
	switch m.Led {
	case 0:
		return ""
	case m.Steps:
		return "yes"
	}
	return fmt.Sprintf("%d of %s", m.Led, plural(m.Steps, "step"))
}

package builtins

import (
	"fmt"
	"strings"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/plan"
)

// ownConnections is how many kvscen itself has open to a member beside those of
// the clients: one to ask for the leader, one for a reading of metrics.
const ownConnections = 2

// connections refuses phases that open more of them to a member than it takes
// from one machine. The phases of a group have theirs open together.
func (b *builder) connections(run *plan.Run, spec *drivers.Spec) {
	most, members := int(spec.Limits.Conns), targeted(&run.Cluster)
	if most == 0 {
		return
	}
	for _, g := range run.Groups {
		together := 0
		for i := range g.Phases {
			p := &g.Phases[i]
			largest := plan.Step{}
			for _, s := range p.Steps {
				if s.Connections > largest.Connections {
					largest = s
				}
			}
			together += largest.Connections
			if each := (together + members - 1) / members; each+ownConnections > most {
				b.problems = append(b.problems, tooManyConnections(p, largest, run.Cluster.Label, each, most))
				break
			}
		}
	}
}

func tooManyConnections(p *plan.Phase, s plan.Step, label string, each, most int) plan.Problem {
	out := plan.Problem{Pos: p.Pos, Arg: "connections"}
	if s.Connections == s.Clients {
		out.Arg = "clients"
	}
	out.Text = fmt.Sprintf("phase %s: %d connections to each member, and %d of kvscen itself, are above the limit of %s, %d; raise it, or let clients share connections (connections=)",
		p.Name, each, ownConnections, label, most)
	return out
}

// targeted is how many members of a cluster clients connect to, at least 1.
func targeted(k *plan.Cluster) int {
	switch k.Target {
	case "", "all":
		return max(len(k.Nodes), len(k.Endpoints), 1)
	case "leader":
		return 1
	}
	return strings.Count(k.Target, ",") + 1
}

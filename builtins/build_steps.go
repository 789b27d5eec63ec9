package builtins

import (
	"fmt"
	"time"

	"github.com/kvscen/kvscen/internal/plan"
)

// steps works out the load levels of a phase: levels of clients and rate side
// by side, requests and duration shared out.
func (b *builder) steps(p *Phase, out *plan.Phase) {
	n := max(len(p.clients), len(p.rates))
	if len(p.clients) > 1 && len(p.rates) > 1 && len(p.clients) != len(p.rates) {
		b.phaseProblem(p, "rate", "clients has %d steps and rate has %d; they go side by side and must be as many", len(p.clients), len(p.rates))
	}
	for i := range n {
		s := plan.Step{Clients: int(level(p.clients, i))}
		s.Connections = int(p.connections)
		if p.connections == 0 {
			s.Connections = s.Clients
		}
		if len(p.rates) > 0 {
			s.Rate = level(p.rates, i)
		}
		out.Steps = append(out.Steps, s)
	}
	each := p.clientsEach
	switch {
	case each == extent{}:
		each = p.rateEach
	case p.rateEach != extent{} && p.rateEach != each:
		b.phaseProblem(p, "rate", "each differs between the steps of clients and of rate")
	}
	b.shareRequests(p, out, each.requests)
	b.shareDuration(p, out, each.duration)
}

// phaseProblem notes something wrong with a phase, which it names.
func (b *builder) phaseProblem(p *Phase, arg, format string, args ...any) {
	b.problemText(&p.object, arg, "phase "+p.plan.Name+": "+fmt.Sprintf(format, args...))
}

// level is the i-th of the levels; a single one stands for all steps.
func level[T any](levels []T, i int) T { return levels[min(i, len(levels)-1)] }

func (b *builder) shareRequests(p *Phase, out *plan.Phase, each uint64) {
	n := uint64(len(out.Steps))
	switch {
	case each > 0 && out.Requests > 0:
		b.phaseProblem(p, "requests", "each=%d says how many requests a step has, and so does requests; leave one out", each)
	case each > 0:
		out.Requests = each * n
	}
	for i := range out.Steps {
		out.Steps[i].Requests = out.Requests / n
		if uint64(i) < out.Requests%n {
			out.Steps[i].Requests++
		}
	}
}

func (b *builder) shareDuration(p *Phase, out *plan.Phase, each time.Duration) {
	n := time.Duration(len(out.Steps))
	switch {
	case each > 0 && out.Duration > 0:
		b.phaseProblem(p, "duration", "each=%v says how long a step is, and so does duration; leave one out", each)
	case each > 0:
		out.Duration = each * n
	}
	for i := range out.Steps {
		out.Steps[i].Duration = out.Duration / n
	}
}

package report

import (
	"fmt"
	"math"

	"github.com/kvscen/kvscen/internal/result"
)

// became says what one operation became in each store, and over how many
// connections: what makes figures of different stores comparable, or not.
func became(to page, r *result.Run, phase string, columns []*column) error {
	to.section(titleBecame)
	for _, c := range columns {
		for _, op := range distinctOps(c.phases) {
			v, err := r.View(result.Selection{Cluster: c.label, Phase: phase, Repetition: result.Merged, Step: result.Merged, Op: op.Name})
			if err != nil {
				return err
			}
			to.item(shorten(c.label, 24)+" "+shorten(op.Name, 24), operation(op, v))
		}
		to.item(shorten(c.label, 24), connections(c.phases))
	}
	return nil
}

func operation(op result.Op, v *result.View) string {
	text := clean(op.RPCs)
	if text == "" {
		text = "RPCs not known"
	}
	if op.Weight > 0 && op.Weight < 1 {
		text = decimals(op.Weight*100, 1) + " % of requests; " + text
	}
	if op.Consistency != "" {
		text += "; consistency " + clean(op.Consistency)
		if op.Asked != "" && op.Asked != op.Consistency {
			text += " (asked: " + clean(op.Asked) + ")"
		}
	}
	return text + "; retries hidden in the client: " + whole(float64(v.Retries))
}

// connections gives the range over the steps of connections, and of clients on
// each.
func connections(phases []*result.Phase) string {
	var conns, clients, each extent
	for _, p := range phases {
		for i := range p.Steps {
			s := &p.Steps[i]
			conns.add(float64(s.Connections))
			clients.add(float64(s.Clients))
			if s.Connections > 0 {
				each.add(float64(s.Clients) / float64(s.Connections))
			}
		}
	}
	if conns.n == 0 {
		return "no step ran"
	}
	return fmt.Sprintf("clients %s, connections %s, clients a connection %s", clients, conns, each)
}

// extent is the range of some figures.
type extent struct {
	n               int
	lowest, highest float64
}

func (e *extent) add(v float64) {
	if e.n == 0 {
		e.lowest, e.highest = v, v
	}
	e.n++
	e.lowest, e.highest = min(e.lowest, v), max(e.highest, v)
}

func (e extent) String() string {
	one := func(v float64) string {
		if v == math.Trunc(v) {
			return whole(v)
		}
		return decimals(v, 1)
	}
	if e.n == 0 {
		return "no"
	}
	if e.lowest == e.highest {
		return one(e.lowest)
	}
	return one(e.lowest) + " to " + one(e.highest)
}

// distinctOps lists the operations of all repetitions, each once.
func distinctOps(phases []*result.Phase) []result.Op {
	var ops []result.Op
	seen := map[string]bool{}
	for _, p := range phases {
		for _, o := range p.Ops {
			if !seen[o.Name] {
				ops = append(ops, o)
			}
			seen[o.Name] = true
		}
	}
	return ops
}

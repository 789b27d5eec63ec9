package charts

import (
	"fmt"
	"math"

	"github.com/kvscen/kvscen/internal/result"
)

// byLoad are the charts of phases with several load levels.
func (p *phase) byLoad() ([]Chart, error) {
	levels := 0
	for _, r := range p.runs {
		levels = max(levels, len(r.phase.Steps))
	}
	if levels < 2 {
		return nil, nil
	}
	clients := Axis{Label: "clients", Scale: Log}
	throughput := Chart{Name: "clients-throughput", Title: "Throughput by number of clients", Column: "steps[].counts.ok", X: clients, Y: Axis{"ok requests (1/s)", Linear}}
	p99 := Chart{Name: "clients-p99", Title: "p99 latency by number of clients", Column: "steps[].series[].service", X: clients, Y: Axis{"latency (ms)", Log}}
	sectors := Chart{Name: "clients-sectors", Title: "Sectors of 512 bytes written by number of clients", Column: "steps[].usage.hosts[].sectors_written", X: clients, Y: Axis{"sectors (1/s)", Linear}}
	against := Chart{Name: "throughput-latency", Title: "Latency against throughput, step by step", Column: "steps[].counts.ok, steps[].series[].service", X: Axis{"ok requests (1/s)", Linear}, Y: Axis{"p99 latency (ms)", Log}}
	for i := range p.runs {
		r := &p.runs[i]
		l, err := p.levels(r)
		if err != nil {
			return nil, err
		}
		for chart, xy := range map[*Chart][]XY{&throughput: l.throughput, &p99: l.p99, &sectors: l.sectors, &against: l.against} {
			line := r.line(xy)
			line.Points = true
			chart.Lines = append(chart.Lines, line)
		}
	}
	return []Chart{throughput, p99, sectors, against}, nil
}

// levels are the figures of a run by its steps.
type levels struct{ throughput, p99, sectors, against []XY }

func (p *phase) levels(r *run) (levels, error) {
	var l levels
	for i := range r.phase.Steps {
		v, err := p.run.View(result.Selection{Cluster: r.cluster.Label, Phase: p.name, Repetition: r.repetition, Step: i})
		if err != nil {
			return l, fmt.Errorf("step %d on %s: %w", i+1, r.label(), err)
		}
		x := float64(r.phase.Steps[i].Clients)
		rate, p99 := orNaN(v.Metric("throughput")), orNaN(v.Metric("p99"))/ms
		l.throughput = append(l.throughput, point(x, rate))
		l.p99 = append(l.p99, point(x, p99))
		l.against = append(l.against, point(rate, p99))
		l.sectors = append(l.sectors, point(x, orNaN(v.Metric("server_sectors_written"))/v.Window.Seconds()))
	}
	return l, nil
}

func orNaN(n result.Number) float64 {
	if !n.OK() {
		return math.NaN()
	}
	return n.V
}

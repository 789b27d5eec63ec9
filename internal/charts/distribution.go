package charts

import (
	"math"

	"github.com/kvscen/kvscen/internal/result"
)

// distributions are the charts of all latencies of a phase: percentiles on a
// scale of nines, and the share of requests at most so slow. Repetitions are
// merged.
func (p *phase) distributions() ([]Chart, error) {
	nines := Chart{Name: "percentiles", Title: "Latency by percentile", Column: "steps[].series[].service", X: Axis{"percentile", Nines}, Y: Axis{"latency (ms)", Log}}
	ecdf := Chart{Name: "ecdf", Title: "Share of requests by latency", Column: "steps[].series[].service", X: Axis{"latency (ms)", Log}, Y: Axis{"share of requests", Linear}}
	for color, label := range p.run.Labels() {
		if !p.has(label) {
			continue
		}
		v, err := p.run.View(result.Selection{Cluster: label, Phase: p.name, Repetition: result.Merged, Step: result.Merged})
		if err != nil {
			return nil, err
		}
		nines.Lines = append(nines.Lines, Line{Label: label, Color: color, XY: byNines(v.Latency)})
		ecdf.Lines = append(ecdf.Lines, Line{Label: label, Color: color, XY: Envelope(shares(v.Latency))})
	}
	return []Chart{nines, ecdf}, nil
}

func (p *phase) has(label string) bool {
	for _, r := range p.runs {
		if r.cluster.Label == label {
			return true
		}
	}
	return false
}

// byNines reads percentiles at even distances on the scale, up to the last one
// that is known.
func byNines(l *result.Latencies) []XY {
	const perNine, most = 40, 7
	var list []XY
	for i := range perNine * most {
		x := float64(i) / perNine
		share := 1 - math.Pow(10, -x)
		if i == 0 {
			if n := l.Fastest(); n.OK() {
				list = append(list, point(0, n.V/ms))
			}
			continue
		}
		n := l.Percentile(100 * share)
		if !n.OK() {
			break
		}
		list = append(list, point(x, n.V/ms))
	}
	return list
}

// shares is the empirical distribution: X latency, Y the share at or below it.
func shares(l *result.Latencies) []XY {
	var list []XY
	seen := 0.0
	l.Each(func(value int64, count uint64) {
		seen += float64(count)
		list = append(list, point(float64(value)/ms, seen/float64(l.N)))
	})
	return list
}

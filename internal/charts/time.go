package charts

import (
	"math"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

const ms = 1e6 // nanoseconds

// overTime are the charts of what clients saw, second by second.
func (p *phase) overTime() []Chart {
	throughput := p.timed(Chart{
		Name: "throughput", Title: "Throughput", Column: "series[].seconds.ok",
		Y: Axis{Label: "ok requests (1/s)", Scale: Linear},
	})
	failed := p.timed(Chart{
		Name: "failed", Title: "Failed requests", Column: "series[].seconds.failed",
		Y: Axis{Label: "failed requests (1/s)", Scale: Linear},
	})
	mean := p.timed(Chart{
		Name: "latency-mean", Title: "Mean latency", Column: "series[].seconds.mean",
		Y: Axis{Label: "latency (ms)", Scale: Linear},
	})
	anyFailed := false
	for i := range p.runs {
		r := &p.runs[i]
		throughput.Lines = append(throughput.Lines, r.line(r.perSecond(func(s *result.Seconds, i int) float64 { return float64(s.OK[i]) })))
		bad := r.perSecond(func(s *result.Seconds, i int) float64 { return float64(s.Failed[i]) })
		for _, xy := range bad {
			anyFailed = anyFailed || xy.Y > 0
		}
		failed.Lines = append(failed.Lines, r.line(bad))
		mean.Lines = append(mean.Lines, r.line(r.meanLatency()))
	}
	list := []Chart{throughput, mean}
	if anyFailed {
		list = append(list, failed)
	}
	return append(list, p.percentilesOverTime()...)
}

func (r *run) line(xy []XY) Line {
	return Line{Label: r.label(), Color: r.color, Dash: r.dash(), XY: Envelope(xy)}
}

// columns visits each second of each operation, in the order of time.
func (r *run) columns(visit func(op int, x float64, s *result.Seconds, i int)) {
	for st := range r.phase.Steps {
		for op := range r.phase.Steps[st].Series {
			s := &r.phase.Steps[st].Series[op].Seconds
			step := max(s.Step, time.Second)
			for i := range s.OK {
				visit(op, (s.Start + time.Duration(i)*step).Seconds(), s, i)
			}
		}
	}
}

// perSecond sums a count over operations.
func (r *run) perSecond(count func(*result.Seconds, int) float64) []XY {
	var list []XY
	at := map[float64]int{}
	r.columns(func(_ int, x float64, s *result.Seconds, i int) {
		j, ok := at[x]
		if !ok {
			j = len(list)
			at[x] = j
			list = append(list, point(x, 0))
		}
		if i < len(s.OK) && i < len(s.Failed) {
			list[j].Y += count(s, i)
		}
	})
	return sorted(list)
}

// meanLatency is the mean over operations: the sum of latencies by the number of
// requests.
func (r *run) meanLatency() []XY {
	sum, n := map[float64]float64{}, map[float64]float64{}
	var list []XY
	r.columns(func(_ int, x float64, s *result.Seconds, i int) {
		if _, ok := n[x]; !ok {
			list = append(list, point(x, math.NaN()))
			n[x] = 0
		}
		if i < len(s.Mean) && !math.IsNaN(s.Mean[i]) {
			sum[x] += s.Mean[i] * float64(s.OK[i])
			n[x] += float64(s.OK[i])
		}
	})
	for i := range list {
		if k := n[list[i].X]; k > 0 {
			list[i].Y = sum[list[i].X] / k / ms
		}
	}
	return sorted(list)
}

// percentilesOverTime is a chart for each operation: of one cluster p50 to max,
// of several one chart a percentile.
func (p *phase) percentilesOverTime() []Chart {
	stats := []struct {
		name string
		of   func(*result.Seconds) result.Values
	}{
		{"p50", func(s *result.Seconds) result.Values { return s.P50 }},
		{"p99", func(s *result.Seconds) result.Values { return s.P99 }},
		{"p99.9", func(s *result.Seconds) result.Values { return s.P999 }},
		{"max", func(s *result.Seconds) result.Values { return s.Max }},
	}
	var list []Chart
	ops := p.ops()
	for op, name := range ops {
		suffix, of := "", ""
		if len(ops) > 1 {
			suffix, of = "-"+name, " of "+name
		}
		for _, stat := range stats {
			c := p.timed(Chart{
				Name: "latency-" + stat.name + suffix, Title: "Latency" + of + ": " + stat.name,
				Column: "series[].seconds." + stat.name, Y: Axis{Label: "latency (ms)", Scale: Log},
			})
			for i := range p.runs {
				r := &p.runs[i]
				c.Lines = append(c.Lines, r.line(r.latencies(op, stat.of)))
			}
			list = append(list, c)
		}
	}
	return list
}

func (r *run) latencies(op int, of func(*result.Seconds) result.Values) []XY {
	var list []XY
	r.columns(func(o int, x float64, s *result.Seconds, i int) {
		if v := of(s); o == op && i < len(v) {
			list = append(list, point(x, v[i]/ms))
		}
	})
	return sorted(list)
}

// ops are the operations of the phase, by name.
func (p *phase) ops() []string {
	var names []string
	for _, r := range p.runs {
		if len(r.phase.Ops) > len(names) {
			names = names[:0]
			for _, o := range r.phase.Ops {
				names = append(names, o.Name)
			}
		}
	}
	return names
}

package charts

import (
	"math"
	"strconv"

	"github.com/kvscen/kvscen/internal/result"
)

// maxColumns is how many columns a heat map has at most.
const maxColumns = 240

// highestBin is that of latencies far above an hour: no result has more, but one
// that is damaged.
const highestBin = 250

// heats are a heat map for each run and operation: it shows what percentiles
// hide, such as two humps, or a stall.
func (p *phase) heats() []Chart {
	var list []Chart
	ops := p.ops()
	for i := range p.runs {
		r := &p.runs[i]
		for op, name := range ops {
			title, file := "Latencies on "+r.label(), "heat-"+r.fileName()
			if len(ops) > 1 {
				title, file = "Latencies of "+name+" on "+r.label(), file+"-"+name
			}
			c := p.timed(Chart{
				Name: file, Title: title, Column: "series[].seconds.bins", Y: Axis{"latency (ms)", Log},
				Heat: r.heat(op),
			})
			c.Events = r.events()
			list = append(list, c)
		}
	}
	return list
}

// fileName is the label of a run as part of a file's name.
func (r *run) fileName() string {
	name := r.cluster.Label
	if r.repeated {
		name += "-run-" + strconv.Itoa(r.repetition+1)
	}
	return name
}

// heat gathers the bins of an operation's seconds; nil: there are none.
func (r *run) heat(op int) *Heat {
	first, last := math.Inf(1), math.Inf(-1)
	low, high := math.MaxInt, -1
	r.columns(func(o int, x float64, s *result.Seconds, i int) {
		if o != op || i >= len(s.Bins) || len(s.Bins[i]) == 0 {
			return
		}
		first, last = min(first, x), max(last, x)
		for _, b := range s.Bins[i] {
			if b[0] <= highestBin {
				low, high = min(low, int(b[0])), max(high, int(b[0]))
			}
		}
	})
	if high < 0 {
		return nil
	}
	h := &Heat{Start: first, Step: max(1, math.Ceil((last-first+1)/maxColumns)), Low: low}
	h.Counts = make([][]uint, int((last-first)/h.Step)+1)
	for i := range h.Counts {
		h.Counts[i] = make([]uint, high-low+1)
	}
	r.columns(func(o int, x float64, s *result.Seconds, i int) {
		if o != op || i >= len(s.Bins) {
			return
		}
		for _, b := range s.Bins[i] {
			if b[0] > highestBin {
				continue
			}
			h.Counts[int((x-first)/h.Step)][int(b[0])-low] += uint(b[1])
		}
	})
	return h
}

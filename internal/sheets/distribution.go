package sheets

import (
	"cmp"
	"fmt"
	"math"
	"strconv"

	"github.com/kvscen/kvscen/internal/result"
)

// selected are the requests of a phase, or of one operation of a mix.
type selected struct {
	op   string
	view *result.View
}

// selections are all operations together and then, of a mix, each.
func (s *subject) selections() ([]selected, error) {
	names := []string{""}
	if len(s.phase.Ops) > 1 {
		for _, op := range s.phase.Ops {
			names = append(names, op.Name)
		}
	}
	var list []selected
	if len(s.phase.Steps) == 0 {
		return nil, nil
	}
	for _, name := range names {
		v, err := s.view(result.Merged, name)
		if err != nil {
			return nil, err
		}
		list = append(list, selected{cmp.Or(name, "all"), v})
	}
	return list, nil
}

// point is a point of a distribution.
type point struct {
	op    string
	p     float64 // percentile, or the share at or below
	ns    float64
	count uint64
}

func percentiles() kind {
	const name = "client-latency-distribution-percentile"
	return sheet[point]{
		name: name, doc: "percentiles of latency over the whole phase",
		columns: []column[point]{
			{Column{"LATENCY-PERCENTILE", "percent", "p50 is the median"}, func(p point) string { return "p" + strconv.FormatFloat(p.p, 'g', -1, 64) }},
			{Column{"LATENCY-MS", "ms", "latency that this share of ok requests does not exceed; empty where fewer than 10 samples lie beyond it"}, func(p point) string { return milliseconds(p.ns) }},
			{Column{"OPERATION", "", `name of the operation, or "all" of them`}, func(p point) string { return text(p.op) }},
		},
		tables: func(sub *subject) ([]table[point], error) {
			list, err := sub.selections()
			var lines []point
			for _, s := range list {
				for _, p := range []float64{10, 25, 50, 75, 90, 95, 99, 99.9, 99.99} {
					lines = append(lines, point{op: s.op, p: p, ns: known(s.view.Latency.Percentile(p))})
				}
			}
			return one(name, lines), err
		},
	}
}

func distribution() kind {
	const name = "client-latency-distribution-all"
	return sheet[point]{
		name: name, doc: "how many ok requests took how long, to three digits; latencies that none took have no line",
		columns: []column[point]{
			{Column{"LATENCY-MS", "ms", "upper end of what is counted together"}, func(p point) string { return milliseconds(p.ns) }},
			{Column{"COUNT", "count", "ok requests"}, func(p point) string { return whole(p.count) }},
			{Column{"CUMULATIVE-SHARE", "share", "of ok requests that took this long or less"}, func(p point) string { return decimal(p.p, 9) }},
			{Column{"OPERATION", "", `name of the operation, or "all" of them`}, func(p point) string { return text(p.op) }},
		},
		tables: func(sub *subject) ([]table[point], error) {
			list, err := sub.selections()
			var lines []point
			for _, s := range list {
				seen := uint64(0)
				s.view.Latency.Each(func(value int64, count uint64) {
					seen += count
					lines = append(lines, point{op: s.op, ns: float64(value), count: count, p: float64(seen) / float64(s.view.Latency.N)})
				})
			}
			return one(name, lines), err
		},
	}
}

// fact is a line of the summary.
type fact struct{ name, value string }

func summary() kind {
	const name = "client-latency-distribution-summary"
	return sheet[fact]{
		name: name, headless: true,
		doc: "a name and a value in each line, without a line of names: TOTAL-SECONDS (s, length of the windows of all steps), REQUESTS-PER-SECOND (ok requests / TOTAL-SECONDS), SLOWEST-, FASTEST-, AVERAGE- and STDDEV-LATENCY-MS (ms, of ok requests), and `ERROR: \"text\"` with a count for each class of failures, or ERROR with 0",
		columns: []column[fact]{
			{Column{"name", "", "see above"}, func(f fact) string { return f.name }},
			{Column{"value", "in the name", ""}, func(f fact) string { return f.value }},
		},
		tables: func(sub *subject) ([]table[fact], error) {
			list, err := sub.selections()
			if err != nil || len(list) == 0 {
				return nil, err
			}
			v := list[0].view
			lines := []fact{
				{name: "TOTAL-SECONDS", value: decimal(v.Window.Seconds(), 4)},
				{name: "REQUESTS-PER-SECOND", value: decimal(known(v.Metric("throughput")), 4)},
				{name: "SLOWEST-LATENCY-MS", value: decimal(known(v.Latency.Slowest())/1e6, 4)},
				{name: "FASTEST-LATENCY-MS", value: decimal(known(v.Latency.Fastest())/1e6, 4)},
				{name: "AVERAGE-LATENCY-MS", value: decimal(known(v.Latency.Mean())/1e6, 4)},
				{name: "STDDEV-LATENCY-MS", value: decimal(deviation(v.Latency)/1e6, 4)},
			}
			return one(name, append(lines, sub.errors()...)), nil
		},
	}
}

// deviation is the standard deviation, in ns, as exact as the histogram is; NaN
// of less than two values.
func deviation(l *result.Latencies) float64 {
	mean := known(l.Mean())
	sum := 0.0
	l.Each(func(value int64, count uint64) {
		d := float64(value) - mean
		sum += d * d * float64(count)
	})
	if l.N < 2 {
		return math.NaN()
	}
	return math.Sqrt(sum / float64(l.N-1))
}

// errors lists the classes of failures over all steps.
func (s *subject) errors() []fact {
	var order []string
	counts, samples := map[string]uint64{}, map[string]string{}
	for i := range s.phase.Steps {
		for _, e := range s.phase.Steps[i].Errors {
			if counts[e.Class] == 0 {
				order = append(order, e.Class)
				samples[e.Class] = e.Sample
			}
			counts[e.Class] += e.Count
		}
	}
	if len(order) == 0 {
		return []fact{{name: "ERROR", value: "0"}}
	}
	var list []fact
	for _, class := range order {
		list = append(list, fact{name: fmt.Sprintf("ERROR: %q", text(class+": "+samples[class])), value: whole(counts[class])})
	}
	return list
}

package sheets

import (
	"math"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

// second is a finished second of one operation.
type second struct {
	sub     *subject
	clients int
	op      string
	s       *result.Seconds
	i       int
}

func (s second) offset() time.Duration {
	return s.s.Start + time.Duration(s.i)*max(s.s.Step, time.Second)
}

func bySecond() kind {
	latency := func(name, doc string, of func(*result.Seconds) result.Values) column[second] {
		return column[second]{Column{name, "ms", doc}, func(s second) string { return milliseconds(at(of(s.s), s.i)) }}
	}
	const name = "client-latency-throughput-timeseries"
	return sheet[second]{
		name: name, doc: "latency and throughput second by second; a line for each second and, of a mix, each operation",
		columns: []column[second]{
			{Column{"UNIX-SECOND", "s", "wall-clock second in which the second begins"}, func(s second) string { return s.sub.unix(s.offset()) }},
			{Column{"CONTROL-CLIENT-NUM", "count", "clients of the step"}, func(s second) string { return whole(s.clients) }},
			latency("MIN-LATENCY-MS", "least latency of ok requests that completed in it: response time where there is a schedule, else service time", func(s *result.Seconds) result.Values { return s.Min }),
			latency("AVG-LATENCY-MS", "mean", func(s *result.Seconds) result.Values { return s.Mean }),
			latency("MAX-LATENCY-MS", "most", func(s *result.Seconds) result.Values { return s.Max }),
			{Column{"AVG-THROUGHPUT", "requests/s", "requests that completed ok in it"}, func(s second) string { return whole(s.s.OK[s.i]) }},
			latency("P50-LATENCY-MS", "percentile; empty where fewer than 10 samples lie beyond it", func(s *result.Seconds) result.Values { return s.P50 }),
			latency("P90-LATENCY-MS", "likewise", func(s *result.Seconds) result.Values { return s.P90 }),
			latency("P99-LATENCY-MS", "likewise", func(s *result.Seconds) result.Values { return s.P99 }),
			latency("P99.9-LATENCY-MS", "likewise", func(s *result.Seconds) result.Values { return s.P999 }),
			{Column{"FAILED-REQUESTS-PER-SECOND", "requests/s", "requests that failed in it"}, func(s second) string { return whole(s.s.Failed[s.i]) }},
			{Column{"OPERATION", "", "name of the operation"}, func(s second) string { return text(s.op) }},
			{Column{"PHASE-SECONDS", "s", "start of the second, from the start of the phase"}, func(s second) string { return decimal(s.offset().Seconds(), 6) }},
		},
		tables: func(sub *subject) ([]table[second], error) {
			var lines []second
			for i := range sub.phase.Steps {
				st := &sub.phase.Steps[i]
				for j := range st.Series {
					c := &st.Series[j].Seconds
					for k := range min(len(c.OK), len(c.Failed)) {
						lines = append(lines, second{sub, st.Clients, st.Series[j].Op, c, k})
					}
				}
			}
			return one(name, lines), nil
		},
	}
}

// level is a step.
type level struct {
	step *result.Step
	view *result.View
}

func byClients() kind {
	const name = "client-latency-throughput-by-client-number"
	figure := func(name, unit, doc, metric string, print func(float64) string) column[level] {
		return column[level]{Column{name, unit, doc}, func(l level) string { return print(known(l.view.Metric(metric))) }}
	}
	plain := func(v float64) string { return decimal(v, 4) }
	return sheet[level]{
		name: name, doc: "a line for each load level, all operations together",
		columns: []column[level]{
			{Column{"CONTROL-CLIENT-NUM", "count", "clients"}, func(l level) string { return whole(l.step.Clients) }},
			figure("MIN-LATENCY-MS", "ms", "least latency of ok requests", "min", milliseconds),
			figure("AVG-LATENCY-MS", "ms", "mean", "mean", milliseconds),
			figure("MAX-LATENCY-MS", "ms", "most", "max", milliseconds),
			figure("AVG-THROUGHPUT", "requests/s", "ok requests / length of the step's window", "throughput", plain),
			figure("P50-LATENCY-MS", "ms", "percentile; empty where fewer than 10 samples lie beyond it", "p50", milliseconds),
			figure("P99-LATENCY-MS", "ms", "likewise", "p99", milliseconds),
			figure("P99.9-LATENCY-MS", "ms", "likewise", "p99.9", milliseconds),
			{Column{"SECTORS-WRITTEN-PER-SECOND", "sectors/s", "sectors of 512 bytes written, mean over the servers' data devices / length of the window"}, func(l level) string { return plain(l.sectors()) }},
			{Column{"FAILED-REQUESTS-NUM", "count", "requests that failed"}, func(l level) string { return whole(l.step.Counts.Failed) }},
			{Column{"RATE", "requests/s", "the schedule, in words; empty in a closed loop"}, func(l level) string { return text(l.step.Rate) }},
		},
		tables: func(sub *subject) ([]table[level], error) {
			var lines []level
			for i := range sub.phase.Steps {
				v, err := sub.view(i, "")
				if err != nil {
					return nil, err
				}
				lines = append(lines, level{&sub.phase.Steps[i], v})
			}
			return one(name, lines), nil
		},
	}
}

// sectors is how many were written a second.
func (l level) sectors() float64 {
	window := l.view.Window.Seconds()
	if window <= 0 {
		return math.NaN()
	}
	return known(l.view.Metric("server_sectors_written")) / window
}

func (s *subject) view(step int, op string) (*result.View, error) {
	return s.run.View(result.Selection{
		Cluster: s.cluster.Label, Phase: s.phase.Name, Repetition: s.cluster.Repetition, Step: step, Op: op,
	})
}

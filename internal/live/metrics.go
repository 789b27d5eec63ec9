package live

import (
	"math"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/kvscen/kvscen/engine"
)

// metrics are what the page shows, each by its name, its unit at the end of it.
type metrics struct {
	info, phase                     *prometheus.Desc
	requests, warmup, duration      *prometheus.Desc
	lag, worstLag                   *prometheus.Desc
	clients, target, done           *prometheus.Desc
	memberCPU, memberRSS, clientCPU *prometheus.Desc
}

func newMetrics() *metrics {
	d := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("kvscen_"+name, help, labels, nil)
	}
	return &metrics{
		info:      d("info", "1, with the version of kvscen.", "version"),
		phase:     d("phase_info", "1 for each phase under way, with the repetition and the step that it is in, both from 1.", "cluster", "phase", "run", "step", "steps"),
		requests:  d("requests_total", "Requests that have ended, by result: ok, or the class of the error. Warm-up is counted apart.", "cluster", "phase", "op", "result"),
		warmup:    d("warmup_requests_total", "Requests of the warm-up that have ended.", "cluster", "phase", "result"),
		duration:  d("request_duration_seconds", "Latency of ok requests, a second after they have ended: response time where the phase has a rate, else service time.", "cluster", "phase", "op"),
		lag:       d("start_lag_seconds", "How late requests of a phase with a rate were started: the client's own lateness.", "cluster", "phase"),
		worstLag:  d("start_lag_max_seconds", "The largest lag of a request yet.", "cluster", "phase"),
		clients:   d("clients", "Clients of the step under way.", "cluster", "phase"),
		target:    d("target_requests_per_second", "Requests that are due each second now. A closed loop has none.", "cluster", "phase"),
		done:      d("step_done_ratio", "How much of the step under way is done, where that can be known.", "cluster", "phase"),
		memberCPU: d("member_cpu_ratio", "CPU that a member's processes used in the last second; 1 is one core.", "cluster", "member"),
		memberRSS: d("member_resident_memory_bytes", "Resident memory of a member's processes.", "cluster", "member"),
		clientCPU: d("client_cpu_ratio", "CPU that kvscen used in the last second; 1 is one core."),
	}
}

// Describe sends what there may be on the page.
func (r *Run) Describe(ch chan<- *prometheus.Desc) {
	m := r.metrics
	for _, d := range []*prometheus.Desc{
		m.info, m.phase, m.requests, m.warmup, m.duration, m.lag, m.worstLag,
		m.clients, m.target, m.done, m.memberCPU, m.memberRSS, m.clientCPU,
	} {
		ch <- d
	}
}

// Collect sends everything as it stands now.
func (r *Run) Collect(ch chan<- prometheus.Metric) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.metrics
	to := sink(ch)
	to.gauge(m.info, 1, r.version)
	for at, p := range r.phases {
		r.collectTotals(to, at, p)
		if p.active != nil {
			r.collectStep(to, at, p.active)
		}
	}
	for _, u := range r.use.Uses {
		if u.Name == "" {
			to.gauge(m.clientCPU, u.CPU/100)
			continue
		}
		to.gauge(m.memberCPU, u.CPU/100, r.use.Cluster, u.Name)
		to.gauge(m.memberRSS, u.RSS, r.use.Cluster, u.Name)
	}
}

func (r *Run) collectTotals(to sink, at name, p *phase) {
	m, t := r.metrics, p.totals()
	for _, op := range t.Ops {
		to.counter(m.requests, op.Results["ok"], at.cluster, at.phase, op.Op, "ok")
		for result, n := range op.Results {
			if result != "ok" {
				to.counter(m.requests, n, at.cluster, at.phase, op.Op, result)
			}
		}
	}
	to.counter(m.warmup, t.WarmOK, at.cluster, at.phase, "ok")
	to.counter(m.warmup, t.WarmFail, at.cluster, at.phase, "failed")
	for op, h := range p.hists {
		to.send(prometheus.NewConstHistogram(m.duration, h.n, h.sum.Seconds(), h.buckets(), at.cluster, at.phase, op))
	}
	if lag := t.Lag; lag.N > 0 {
		to.send(prometheus.NewConstSummary(m.lag, lag.N, lag.Sum.Seconds(), nil, at.cluster, at.phase))
		to.gauge(m.worstLag, lag.Max.Seconds(), at.cluster, at.phase)
	}
}

func (r *Run) collectStep(to sink, at name, e *engine.Event) {
	m := r.metrics
	to.gauge(m.phase, 1, at.cluster, at.phase,
		strconv.Itoa(e.Repetition+1), strconv.Itoa(e.Step+1), strconv.Itoa(e.Steps))
	to.gauge(m.clients, float64(e.Clients), at.cluster, at.phase)
	if g := e.Progress; g != nil {
		if g.Target > 0 {
			to.gauge(m.target, g.Target, at.cluster, at.phase)
		}
		if g.Fraction >= 0 {
			to.gauge(m.done, g.Fraction, at.cluster, at.phase)
		}
	}
}

// sink takes metrics. What is not known, NaN, is left out.
type sink chan<- prometheus.Metric

func (s sink) gauge(d *prometheus.Desc, v float64, labels ...string) {
	if !math.IsNaN(v) {
		s.send(prometheus.NewConstMetric(d, prometheus.GaugeValue, v, labels...))
	}
}

func (s sink) counter(d *prometheus.Desc, n uint64, labels ...string) {
	s.send(prometheus.NewConstMetric(d, prometheus.CounterValue, float64(n), labels...))
}

// send passes a metric on. An error would be a label that is no UTF-8: names
// are checked before a run, and the rest is ours.
func (s sink) send(m prometheus.Metric, err error) {
	if err == nil {
		s <- m
	}
}

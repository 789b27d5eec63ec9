package builtins

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// Hopeless says which expectation can't be met any more, whatever is still to
// come of the run; empty: each still can. A bound is judged once all that it
// reads is final, and before that only where more requests can't mend it.
func (f *Finished) Hopeless() string {
	rec := f.recorder()
	for i := range f.Plan.Expects {
		e := &f.Plan.Expects[i]
		for j := range f.Plan.Runs {
			label := f.Plan.Runs[j].Cluster.Label
			if e.Cluster != "" && e.Cluster != label {
				continue
			}
			for k := range e.Bounds {
				if why := rec.hopeless(e, &e.Bounds[k], label); why != "" {
					return hopelessText(e, why)
				}
			}
		}
	}
	return ""
}

// hopeless judges one bound on one cluster by what has been measured so far. One
// that is final and not known is hopeless too: unknown fails.
func (rec *recorder) hopeless(e *plan.Expect, b *plan.Bound, label string) string {
	v := result.Verdict{Status: result.Pass}
	rec.judgeBound(&v, e, b, label)
	if v.Status == result.Pass {
		return ""
	}
	final := rec.ended(label, e.Phase) && (b.Of == nil || rec.ended(cmp.Or(b.Of.Cluster, label), b.Of.Phase))
	beyond := v.Status == result.Fail && b.Of == nil && (!b.Above && grows(b.Metric) || b.Above && shrinks(b.Metric))
	if !final && !beyond {
		return ""
	}
	read := v.Reads[0]
	return read.Path + " = " + read.Value
}

// ended reports whether a phase has ended in all repetitions on a cluster.
func (rec *recorder) ended(label, phase string) bool {
	n := 0
	for i := range rec.run.Clusters {
		c := &rec.run.Clusters[i]
		if c.Label == label && slices.ContainsFunc(c.Phases, func(p result.Phase) bool { return p.Name == phase }) {
			n++
		}
	}
	return n >= max(1, rec.plan.Repeat)
}

// grows reports whether a figure never falls as more is measured.
func grows(metric string) bool {
	if strings.HasSuffix(metric, ".max") || strings.Contains(metric, "max_") {
		return true
	}
	return slices.Contains([]string{
		"max", "seconds", "requests", "ok", "failed", "missed", "warmup", "found", "entries", "retries",
		"written_bytes", "read_bytes", "server_cpu_seconds", "client_cpu_seconds",
	}, metric)
}

// shrinks reports whether a figure never rises as more is measured.
func shrinks(metric string) bool {
	return metric == "min" || strings.HasSuffix(metric, ".min") || metric == "min_throughput"
}

// HopelessNow says the same while a step goes on. Only what can't recover counts:
// requests that have failed, and the slowest one.
func HopelessNow(p *plan.Plan, m result.Moment) string {
	for i := range p.Expects {
		e := &p.Expects[i]
		if e.Phase != m.Phase || e.Cluster != "" && e.Cluster != m.Cluster || e.Step >= 0 && e.Step != m.Step {
			continue
		}
		for j := range e.Bounds {
			if why := hopelessBound(p, e, &e.Bounds[j], &m); why != "" {
				return hopelessText(e, why)
			}
		}
	}
	return ""
}

func hopelessBound(p *plan.Plan, e *plan.Expect, b *plan.Bound, m *result.Moment) string {
	if b.Above || b.Of != nil {
		return ""
	}
	failed := m.Failed
	if e.Step >= 0 {
		failed = m.StepFailed
	}
	switch {
	case b.Metric == "failed" && e.Op == "" && failed > 0 && float64(failed) >= b.Limit:
		return fmt.Sprintf("%d requests have failed", failed)
	case b.Metric == "error_rate" && e.Op == "" && failed > 0:
		if asked := askedOf(p, m, e.Step); asked > 0 && float64(failed) >= b.Limit*float64(asked) {
			return fmt.Sprintf("%d of %d requests have failed", failed, asked)
		}
	case slowestIs(b.Metric, m.Open) && (e.Op == "" || e.Op == m.Op) && float64(m.Slowest) >= b.Limit && m.Slowest > 0:
		return fmt.Sprintf("a request took %s", numberText(result.Known(float64(m.Slowest)), result.UnitNanoseconds))
	}
	return ""
}

// slowestIs reports whether a metric is the largest of the latencies that a step
// is watched for.
func slowestIs(metric string, open bool) bool {
	return metric == "max" || metric == "response.max" && open || metric == "service.max" && !open
}

// askedOf is the number of requests that a phase, or a step of it, has in all its
// repetitions; 0: it is not known beforehand.
func askedOf(p *plan.Plan, m *result.Moment, step int) uint64 {
	rec := recorder{plan: p}
	var asked uint64
	for i, s := range rec.planned(m.Cluster, m.Phase).Steps {
		if step >= 0 && step != i {
			continue
		}
		if s.Requests == 0 {
			return 0
		}
		asked += s.Requests
	}
	return asked * uint64(max(1, p.Repeat))
}

func hopelessText(e *plan.Expect, why string) string {
	return fmt.Sprintf("the expectation %s can't be met any more: %s (%s)", expectName(e), why, e.Pos)
}

package outline

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/kvscen/kvscen/internal/plan"
)

// group prints phases that run at the same time.
func (o *outline) group(p *plan.Plan, g plan.Group) {
	level := 1
	if len(g.Phases) > 1 {
		o.line(1, "at the same time")
		level = 2
	}
	for _, ph := range g.Phases {
		o.phase(p, ph, level)
	}
}

func (o *outline) phase(p *plan.Plan, ph plan.Phase, level int) {
	o.line(level, "phase %s%s: %s", ph.Name, traits(ph), extent(ph.Requests, ph.Duration))
	for _, op := range ph.Ops {
		o.op(p, op, level+1, len(ph.Ops) > 1)
	}
	for i, s := range ph.Steps {
		o.line(level+1, "step %d: %s over %s, %s, %s", i+1,
			plural(s.Clients, "client"), plural(s.Connections, "connection"), rate(s.Rate), extent(s.Requests, s.Duration))
	}
	o.line(level+1, "timeout %s%s%s", ph.Timeout, warmup(ph.Warmup), maxErrors(ph.MaxErrors))
}

func traits(ph plan.Phase) string {
	var t []string
	if ph.Role == plan.Load {
		t = append(t, "load")
	}
	if ph.Background {
		t = append(t, "background")
	}
	if ph.Fresh {
		t = append(t, "on a new cluster")
	}
	if ph.Samples {
		t = append(t, "each request kept")
	}
	if len(t) == 0 {
		return ""
	}
	return " (" + strings.Join(t, ", ") + ")"
}

// extent says when a phase or step ends.
func extent(requests uint64, d time.Duration) string {
	switch {
	case requests > 0 && d > 0:
		return fmt.Sprintf("%s requests or %s", comma(requests), d)
	case requests > 0:
		return comma(requests) + " requests"
	case d > 0:
		return d.String()
	}
	return "until the others end"
}

func rate(r plan.Rate) string {
	switch {
	case r.Closed():
		return "closed loop"
	case r.Over > 0:
		return fmt.Sprintf("%s/s to %s/s over %s", number(r.From), number(r.To), r.Over)
	}
	return number(r.To) + "/s"
}

func warmup(w plan.Warmup) string {
	switch {
	case w.Requests > 0:
		return fmt.Sprintf(", warm-up %s requests", comma(w.Requests))
	case w.Duration > 0:
		return fmt.Sprintf(", warm-up %s", w.Duration)
	}
	return ""
}

func maxErrors(m float64) string {
	switch {
	case m < 0:
		return ""
	case m > 0 && m < 1:
		return fmt.Sprintf(", fails above %s %% of errors", number(m*100))
	}
	return fmt.Sprintf(", fails above %s errors", number(m))
}

// op prints an operation: what it does, to which keys, and what it becomes in
// the store.
func (o *outline) op(p *plan.Plan, op plan.Op, level int, weighted bool) {
	var b strings.Builder
	if weighted {
		fmt.Fprintf(&b, "%s %% ", number(op.Weight*100))
	}
	b.WriteString(op.Kind)
	if len(op.Ops) == 0 {
		b.WriteString(" of " + keys(p, op.Draw))
	}
	if op.Value != nil {
		b.WriteString(", values of " + size(op.Value.Size))
		if op.Value.Checksum {
			b.WriteString(" with a checksum")
		}
	}
	if op.Consistency != "" {
		b.WriteString(", " + op.Consistency)
	}
	if op.Asked != "" {
		fmt.Fprintf(&b, " (asked: %s)", op.Asked)
	}
	if op.Limit > 0 {
		fmt.Fprintf(&b, ", at most %d entries", op.Limit)
	}
	if op.Checksum {
		b.WriteString(", checksum compared")
	}
	if op.KeysOnly {
		b.WriteString(", keys only")
	}
	if op.TTL > 0 {
		fmt.Fprintf(&b, ", living %s", op.TTL)
	}
	if op.RPCs != "" {
		fmt.Fprintf(&b, " -> %s", op.RPCs)
	}
	o.line(level, "%s", b.String())
	for _, sub := range op.Ops {
		o.op(p, sub, level+1, false)
	}
}

func keys(p *plan.Plan, d plan.Draw) string {
	if d.Keys < 0 || d.Keys >= len(p.Keys) {
		return "no keys"
	}
	k := p.Keys[d.Keys]
	text := fmt.Sprintf("%s keys of %d bytes, %s", comma(k.Count), k.Size, d.Order)
	switch d.Order {
	case plan.OrderZipfian, plan.OrderLatest:
		text += fmt.Sprintf(" (%s)", number(d.Constant))
	case plan.OrderHotspot:
		text += fmt.Sprintf(" (%s %% of keys take %s %%)", number(d.HotKeys*100), number(d.HotOps*100))
	}
	return text
}

func size(s plan.Size) string {
	switch s.Kind {
	case "fixed":
		return number(s.A) + " bytes"
	case "uniform":
		return fmt.Sprintf("%s to %s bytes", number(s.A), number(s.B))
	case "normal":
		return fmt.Sprintf("%s bytes, standard deviation %s", number(s.A), number(s.B))
	case "histogram":
		return fmt.Sprintf("%d sizes", len(s.Sizes))
	}
	return s.Kind
}

// limit prints the limit of a bound in the unit of its metric.
func limit(b plan.Bound) string {
	switch {
	case b.Of != nil:
		of := plan.Expect{Phase: b.Of.Phase, Cluster: b.Of.Cluster, Op: b.Of.Op, Step: b.Of.Step}
		return fmt.Sprintf("%s x %s of %s", number(b.Limit), b.Of.Metric, scope(of))
	case b.Metric == "read_throughput" || b.Metric == "write_throughput":
		return humanize.Bytes(uint64(b.Limit)) + "/s"
	case strings.HasSuffix(b.Metric, "throughput"):
		return number(b.Limit) + "/s"
	case latency(b.Metric):
		return time.Duration(b.Limit).String()
	}
	return number(b.Limit)
}

// latency reports whether a metric is a time: a percentile, mean, min or max,
// perhaps of one kind of latency ("lag.p99").
func latency(metric string) bool {
	for _, kind := range []string{"service.", "response.", "charged.", "lag.", "failed."} {
		metric = strings.TrimPrefix(metric, kind)
	}
	if slices.Contains([]string{"mean", "min", "max"}, metric) {
		return true
	}
	return len(metric) > 1 && metric[0] == 'p' && metric[1] >= '0' && metric[1] <= '9'
}

// number prints a figure without a needless fraction.
func number(v float64) string { return humanize.Commaf(math.Round(v*1000) / 1000) }

package builtins

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// judgeExpect compares the bounds with the result, on each cluster that the
// expectation stands for. One figure out of bounds fails it; else one that is
// not known leaves it unknown.
func judgeExpect(e *plan.Expect, p *plan.Plan, r *result.Run) result.Verdict {
	v := result.Verdict{Kind: "expect", Name: expectName(e), Status: result.Pass}
	for i := range p.Runs {
		label := p.Runs[i].Cluster.Label
		if e.Cluster != "" && e.Cluster != label {
			continue
		}
		judgeBounds(&v, e, r, label)
	}
	return v
}

func judgeBounds(v *result.Verdict, e *plan.Expect, r *result.Run, label string) {
	s := result.Selection{Cluster: label, Phase: e.Phase, Repetition: result.Merged, Step: e.Step, Op: e.Op}
	view, err := r.View(s)
	for _, b := range e.Bounds {
		read := result.Read{Path: path(s) + "." + b.Metric, Limit: boundText(b)}
		n := result.Number{}
		if err != nil {
			n = result.NA(err.Error())
		} else {
			n = view.Metric(b.Metric)
		}
		info, _ := metricNamed(b.Metric)
		read.Value = numberText(n, info.Unit)
		switch {
		case !n.OK():
			if v.Status == result.Pass {
				v.Status = result.Unknown
			}
			note(v, "%s is not known: %s", read.Path, n.Reason)
		case info.FailsOnMissed && view.Counts.Missed > 0:
			v.Status = result.Fail
			note(v, "%s leaves out %s missed requests", read.Path, humanize.Comma(int64(view.Counts.Missed)))
		case b.Above && n.V > b.Limit, !b.Above && n.V < b.Limit:
			read.OK = true
		default:
			v.Status = result.Fail
		}
		v.Reads = append(v.Reads, read)
	}
}

// note adds a sentence to the verdict.
func note(v *result.Verdict, format string, args ...any) {
	if v.Text != "" {
		v.Text += "; "
	}
	v.Text += fmt.Sprintf(format, args...)
}

// expectName is the expectation in words.
func expectName(e *plan.Expect) string {
	words := []string{e.Phase}
	if e.Cluster != "" {
		words = append(words, "on "+e.Cluster)
	}
	if e.Op != "" {
		words = append(words, "op "+e.Op)
	}
	if e.Step >= 0 {
		words = append(words, fmt.Sprintf("step %d", e.Step+1))
	}
	var bounds []string
	for _, b := range e.Bounds {
		bounds = append(bounds, b.Metric+" "+boundText(b))
	}
	return strings.Join(words, " ") + ": " + strings.Join(bounds, ", ")
}

func boundText(b plan.Bound) string {
	info, _ := metricNamed(b.Metric)
	word := "below "
	if b.Above {
		word = "above "
	}
	return word + numberText(result.Known(b.Limit), info.Unit)
}

// numberText prints a figure in its unit.
func numberText(n result.Number, unit string) string {
	switch {
	case !n.OK():
		return "n/a (" + n.Reason + ")"
	case unit == result.UnitNanoseconds:
		d := time.Duration(n.V)
		return d.Round(roundingOf(d)).String()
	case unit == result.UnitBytes && n.V >= 0:
		return humanize.Bytes(uint64(n.V))
	case unit == result.UnitByteRate && n.V >= 0:
		return humanize.Bytes(uint64(n.V)) + "/s"
	case unit == result.UnitCount:
		return humanize.Comma(int64(n.V))
	case unit == result.UnitShare:
		return fmt.Sprintf("%.4g", n.V)
	}
	return humanize.Commaf(math.Round(n.V*100)/100) + unitSuffix(unit)
}

func unitSuffix(unit string) string {
	switch unit {
	case result.UnitRate:
		return "/s"
	case result.UnitPercent:
		return " %"
	case result.UnitSeconds:
		return " s"
	}
	return ""
}

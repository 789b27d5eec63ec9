package builtins

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// judgeExpect compares the bounds with the result, on each cluster that the
// expectation stands for. One figure out of bounds fails it; else one that is
// not known leaves it unknown.
func (f *Finished) judgeExpect(e *plan.Expect) result.Verdict {
	v := result.Verdict{Kind: "expect", Name: expectName(e), Status: result.Pass}
	rec := f.recorder()
	for i := range f.Plan.Runs {
		label := f.Plan.Runs[i].Cluster.Label
		if e.Cluster != "" && e.Cluster != label {
			continue
		}
		for j := range e.Bounds {
			rec.judgeBound(&v, e, &e.Bounds[j], label)
		}
	}
	if len(v.Reads) == 0 {
		v.Status = result.Unknown
		note(&v, "there is no other cluster to compare with")
	}
	return v
}

// judgeBound compares one figure of one cluster with its bound.
func (rec *recorder) judgeBound(v *result.Verdict, e *plan.Expect, b *plan.Bound, label string) {
	s := result.Selection{Cluster: label, Phase: e.Phase, Repetition: result.Merged, Step: e.Step, Op: e.Op}
	limit, text := result.Known(b.Limit), boundText(b)
	if b.Of != nil {
		of := result.Selection{Cluster: cmp.Or(b.Of.Cluster, label), Phase: b.Of.Phase, Repetition: result.Merged, Step: b.Of.Step, Op: b.Of.Op}
		if of == s && b.Of.Metric == b.Metric {
			return // a cluster is not measured by itself
		}
		limit, text = rec.multiple(v, b, of)
	}
	n, missed := rec.judged(s, b.Metric)
	info, _ := metricNamed(b.Metric)
	read := result.Read{Path: path(s) + "." + b.Metric, Value: numberText(n, info.Unit), Limit: text}
	switch {
	case !n.OK():
		unknown(v, "%s is not known: %s", read.Path, n.Reason)
	case info.FailsOnMissed && missed > 0:
		v.Status = result.Fail
		note(v, "%s leaves out %s missed requests", read.Path, humanize.Comma(int64(missed)))
	case !limit.OK():
		unknown(v, "the limit is not known: %s", limit.Reason)
	case b.Above && n.V > limit.V, !b.Above && n.V < limit.V:
		read.OK = true
	default:
		v.Status = result.Fail
	}
	v.Reads = append(v.Reads, read)
}

// multiple is the limit that is a multiple of another figure, and in words. A
// figure that leaves missed requests out measures nothing.
func (rec *recorder) multiple(v *result.Verdict, b *plan.Bound, of result.Selection) (result.Number, string) {
	info, _ := metricNamed(b.Of.Metric)
	n, missed := rec.judged(of, b.Of.Metric)
	name := path(of) + "." + b.Of.Metric
	if n.OK() && info.FailsOnMissed && missed > 0 {
		n = result.NA(fmt.Sprintf("%s leaves out %s missed requests", name, humanize.Comma(int64(missed))))
	}
	word := fmt.Sprintf("%s %s x %s", side(b.Above), strconv.FormatFloat(b.Limit, 'g', -1, 64), name)
	if !n.OK() {
		return n, word + " = " + numberText(n, info.Unit)
	}
	limit := result.Known(b.Limit * n.V)
	return limit, word + " = " + numberText(limit, info.Unit)
}

// judged is a figure, and how many requests were missed beside it. What was
// planned and never ran is unknown.
func (rec *recorder) judged(s result.Selection, metric string) (result.Number, uint64) {
	view, err := rec.run.View(s)
	switch {
	case err == nil:
		return view.Metric(metric), view.Counts.Missed
	case rec.meant(s) && !rec.ran(s):
		return result.NA("did not run"), 0
	}
	return result.NA(err.Error()), 0
}

// unknown leaves a verdict that has not failed unknown.
func unknown(v *result.Verdict, format string, args ...any) {
	if v.Status == result.Pass {
		v.Status = result.Unknown
	}
	note(v, format, args...)
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
	words = append(words, levelWords(e.Op, e.Step)...)
	var bounds []string
	for i := range e.Bounds {
		bounds = append(bounds, e.Bounds[i].Metric+" "+boundText(&e.Bounds[i]))
	}
	return strings.Join(words, " ") + ": " + strings.Join(bounds, ", ")
}

// boundText is a bound in words, as far as it is known before the run.
func boundText(b *plan.Bound) string {
	info, _ := metricNamed(b.Metric)
	if b.Of == nil {
		return side(b.Above) + " " + numberText(result.Known(b.Limit), info.Unit)
	}
	of := *b.Of
	words := []string{side(b.Above), strconv.FormatFloat(b.Limit, 'g', -1, 64), "x", of.Metric, "of", of.Phase}
	if of.Cluster != "" {
		words = append(words, "on "+of.Cluster)
	}
	return strings.Join(append(words, levelWords(of.Op, of.Step)...), " ")
}

func side(above bool) string {
	if above {
		return "above"
	}
	return "below"
}

// levelWords name an operation and a step, where they are told apart.
func levelWords(op string, step int) []string {
	var words []string
	if op != "" {
		words = append(words, "op "+op)
	}
	if step >= 0 {
		words = append(words, fmt.Sprintf("step %d", step+1))
	}
	return words
}

package builtins

import (
	"fmt"
	"math"
	"strings"

	"github.com/kvscen/kvscen/internal/compare"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// compare answers the question which of two clusters is better. What it finds
// is told; it passes or fails only where the scenario says what must not be.
func (f *Finished) compare(k *plan.Compare) result.Verdict {
	v := result.Verdict{Kind: "compare", Name: compareName(k), Status: result.Info}
	info, _ := metricNamed(k.Metric)
	l, err := compare.Clusters(f.Run, compare.Pair{
		Base: k.Base, New: k.New, Phase: k.Phase, Op: k.Op, Step: k.Step, Metric: k.Metric,
	})
	if err != nil {
		v.Status, v.Text = result.Unknown, err.Error()
		return v
	}
	rec := f.recorder()
	for i, label := range []string{k.Base, k.New} {
		sel := result.Selection{Cluster: label, Phase: k.Phase, Repetition: result.Merged, Step: k.Step, Op: k.Op}
		center := []result.Number{l.Base.Center, l.New.Center}[i]
		v.Reads = append(v.Reads, result.Read{Path: path(sel) + "." + k.Metric, Value: numberText(center, info.Unit), OK: true})
		if _, missed := rec.judged(sel, k.Metric); info.FailsOnMissed && missed > 0 {
			l.Verdict, l.Reason = compare.NotKnown, fmt.Sprintf("%s leaves out %d missed requests", label, missed)
		}
	}
	v.Compared = compared(k, l)
	v.Text = finding(k, l)
	if l.Verdict != compare.NotKnown {
		v.Reads = append(v.Reads, result.Read{Path: "difference", Value: differenceText(l), OK: true})
	}
	if k.FailIf != "" {
		failIf(&v, k, l)
	}
	return v
}

// failIf judges what was found by the difference that must not be.
func failIf(v *result.Verdict, k *plan.Compare, l *compare.Line) {
	last := &v.Reads[len(v.Reads)-1]
	last.Limit = "not " + k.FailIf
	condition, err := compare.ParseCondition(k.Metric + " " + k.FailIf)
	if err != nil {
		v.Status, v.Text = result.Unknown, err.Error()
		return
	}
	all := compare.Comparison{Level: compare.DefaultLevel, Lines: []compare.Line{*l}}
	violated, undecided := all.Violations([]compare.Condition{condition})
	switch {
	case len(undecided) > 0:
		v.Status = result.Unknown
	case len(violated) > 0:
		v.Status = result.Fail
	default:
		v.Status = result.Pass
	}
	last.OK = v.Status == result.Pass
}

// compared keeps what was found for other programs.
func compared(k *plan.Compare, l *compare.Line) *result.Compared {
	c := &result.Compared{
		Clusters: [2]string{k.Base, k.New}, Finding: string(l.Verdict), Better: betterOf(k, l), Unit: l.Unit,
		Difference: l.Delta.Value, Low: l.Delta.Low, High: l.Delta.High, Percent: result.Known(l.Percent()),
		Effect: l.Effect, P: result.Known(l.P), Runs: [2]int{l.Base.N, l.New.N},
	}
	switch l.Verdict {
	case compare.NotKnown:
		none := result.NA(l.Reason)
		c.Difference, c.Low, c.High, c.Percent, c.P = none, none, none, none, none
	case compare.Unknown:
		c.P = result.NA("too few runs")
	case compare.Better, compare.Worse:
		c.Finding = "better"
	}
	return c
}

// betterOf is the label of the cluster that is shown to be better; empty: none is.
func betterOf(k *plan.Compare, l *compare.Line) string {
	switch l.Verdict {
	case compare.Better:
		return k.New
	case compare.Worse:
		return k.Base
	}
	return ""
}

// finding is what was found in a sentence.
func finding(k *plan.Compare, l *compare.Line) string {
	runs := fmt.Sprintf("%d and %d runs", l.Base.N, l.New.N)
	switch l.Verdict {
	case compare.NotKnown:
		return "n/a: " + l.Reason
	case compare.Unknown:
		return "not enough runs to tell: " + l.Reason
	case compare.Same:
		return fmt.Sprintf("no difference shown (p %.4f, %s)", l.P, runs)
	}
	word, by := "lower", math.Abs(l.Delta.Value.V)
	if l.Higher {
		word = "higher"
	}
	better, worse := k.Base, k.New
	if l.Verdict == compare.Better {
		better, worse = k.New, k.Base
	}
	return fmt.Sprintf("%s is better: its %s is %s by %s than that of %s (p %.4f, %s)",
		better, k.Metric, word, numberText(result.Known(by), l.Unit), worse, l.P, runs)
}

// differenceText is the difference of the second cluster to the first, in the
// metric's unit and in percent, with its interval.
func differenceText(l *compare.Line) string {
	text := signed(l.Delta.Value, l.Unit)
	if p := l.Percent(); !math.IsInf(p, 0) && !math.IsNaN(p) {
		text += fmt.Sprintf(" (%+.3g %%)", p)
	}
	if l.Delta.Low.OK() && l.Delta.High.OK() {
		text += fmt.Sprintf(", 95 %% interval %s to %s", signed(l.Delta.Low, l.Unit), signed(l.Delta.High, l.Unit))
	}
	return text
}

// signed prints a difference.
func signed(n result.Number, unit string) string {
	switch {
	case n.OK() && n.V < 0:
		return "-" + numberText(result.Known(-n.V), unit)
	case n.OK() && n.V > 0:
		return "+" + numberText(n, unit)
	}
	return numberText(n, unit)
}

// compareName is the comparison in words.
func compareName(k *plan.Compare) string {
	words := append([]string{k.Phase}, levelWords(k.Op, k.Step)...)
	return fmt.Sprintf("%s: %s of %s against %s", strings.Join(words, " "), k.Metric, k.New, k.Base)
}

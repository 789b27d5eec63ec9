package compare

import (
	"cmp"
	"slices"
)

// judge adjusts p over all lines that have one, and gives those their verdict: a
// difference is shown where both the adjusted p is below the level and the
// interval leaves zero out.
func judge(lines []Line, level float64) {
	var tested []*Line
	for i := range lines {
		if l := &lines[i]; l.Verdict == "" {
			tested = append(tested, l)
		}
	}
	adjust(tested)
	for _, l := range tested {
		l.Verdict = Same
		if l.Adjusted < level && l.Delta.apart() {
			l.Verdict = Worse
			if (l.Delta.Value.V > 0) == l.Higher {
				l.Verdict = Better
			}
		}
	}
}

// apart is true of an interval that leaves zero out.
func (d Interval) apart() bool {
	return d.Low.OK() && d.High.OK() && (d.Low.V > 0 || d.High.V < 0)
}

// adjust sets Adjusted by the step-up procedure of Benjamini and Hochberg: the
// p-value of rank i of n, times n/i, and never above that of a larger rank.
func adjust(lines []*Line) {
	sorted := slices.Clone(lines)
	slices.SortStableFunc(sorted, func(a, b *Line) int { return cmp.Compare(a.P, b.P) })
	least := 1.0
	for i := len(sorted) - 1; i >= 0; i-- {
		least = min(least, sorted[i].P*float64(len(sorted))/float64(i+1))
		sorted[i].Adjusted = least
	}
}

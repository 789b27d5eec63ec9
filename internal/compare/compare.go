// Package compare says whether two sets of runs differ, metric by metric.
//
// The unit is a run: one repetition on one cluster. Requests of one run are not
// independent of each other (a slow second makes a thousand slow requests), so
// that millions of them prove nothing; runs are. Of each metric a run yields one
// figure, and two sets of figures are compared by ranks:
//
//   - p is that of the two-sided Mann-Whitney U test, exact where the samples are
//     small (Mann and Whitney, 1947);
//   - the difference of a mean, a rate or a count is the Hodges-Lehmann estimate,
//     the median of all pairwise differences, with the interval that belongs to
//     the same test (Hodges and Lehmann, 1963);
//   - that of a percentile is the one of the merged histograms, with an interval
//     from a bootstrap over runs;
//   - the effect is Cliff's delta: how much more often a run of one side exceeds
//     one of the other than the reverse, from -1 to 1.
//
// A comparison looks at many metrics, of which one in twenty would differ by
// chance: p is adjusted over all of them (Benjamini and Hochberg, 1995), which
// keeps the chance of any false alarm between two sets of the same build at the
// level asked for.
package compare

import (
	"errors"
	"fmt"

	"github.com/kvscen/kvscen/internal/result"
)

// Side is one set of runs of the same thing.
type Side struct {
	Name string // as the user calls it: a folder
	Runs []*result.Run
}

// Options say what is compared.
type Options struct {
	Metrics []string          // by name, see result.Metrics; empty: DefaultMetrics
	Level   float64           // chance of a false alarm, 0 to 1; 0: 0.05
	Steps   bool              // a line for each load level too
	Pairs   map[string]string // label of a cluster in base: its label in new, where they differ
}

// DefaultLevel is the chance of a false alarm that a comparison takes.
const DefaultLevel = 0.05

// DefaultMetrics are those compared where none are named.
func DefaultMetrics() []string {
	return []string{
		"throughput", "mean", "p50", "p99", "p99.9", "error_rate",
		"server_cpu_seconds", "server_max_memory", "server_disk_usage",
	}
}

// Comparison is what Compare found.
type Comparison struct {
	Base     string   `json:"base"`
	New      string   `json:"new"`
	Level    float64  `json:"level"`
	Warnings []string `json:"warnings,omitempty"` // what else differs than what was to be compared
	Lines    []Line   `json:"lines"`
}

// Line is one metric of one phase on one cluster.
type Line struct {
	Cluster  string   `json:"cluster"` // "a -> b" where the labels differ
	Phase    string   `json:"phase"`
	Step     int      `json:"step"` // from 0; result.Merged: all of them
	Metric   string   `json:"metric"`
	Unit     string   `json:"unit"`
	Higher   bool     `json:"higher_is_better"`
	Base     Sample   `json:"base"`
	New      Sample   `json:"new"`
	Delta    Interval `json:"difference"` // new - base, in Unit
	Effect   float64  `json:"effect"`     // Cliff's delta: above 0 where new is larger
	P        float64  `json:"p"`          // of this line alone
	Adjusted float64  `json:"p_adjusted"` // over all lines
	Verdict  Verdict  `json:"verdict"`
	Reason   string   `json:"reason,omitempty"` // of a verdict that could not be given
}

// Sample is one side of a line.
type Sample struct {
	N      int           `json:"n"`      // runs in which the metric is known
	Center result.Number `json:"center"` // median of the runs; of a percentile, that of all runs merged
	values []float64
}

// Interval is an estimate and the bounds of its confidence interval at 1 - Level.
type Interval struct {
	Value result.Number `json:"value"`
	Low   result.Number `json:"low"`
	High  result.Number `json:"high"`
}

// Verdict is what can be said of a line.
type Verdict string

// The verdicts.
const (
	Better   Verdict = "better"
	Worse    Verdict = "worse"
	Same     Verdict = "no difference shown"
	Unknown  Verdict = "not enough runs"
	NotKnown Verdict = "n/a" // a side does not know the metric
)

// Compare compares two sets of runs. It is an error if they have no phase on a
// cluster in common, or a metric has no such name.
func Compare(base, new Side, o Options) (*Comparison, error) {
	if len(base.Runs) == 0 || len(new.Runs) == 0 {
		return nil, errors.New("comparing: a side without a run")
	}
	if o.Level == 0 {
		o.Level = DefaultLevel
	}
	if o.Level < 0 || o.Level >= 1 {
		return nil, fmt.Errorf("comparing: a level of %g, want one between 0 and 1", o.Level)
	}
	metrics, err := find(o.Metrics)
	if err != nil {
		return nil, err
	}
	subjects, warnings, err := match(base, new, o)
	if err != nil {
		return nil, err
	}
	c := &Comparison{Base: base.Name, New: new.Name, Level: o.Level}
	c.Warnings = append(differences(base, new), warnings...)
	for _, s := range subjects {
		lines, err := s.lines(metrics, o.Level)
		if err != nil {
			return nil, fmt.Errorf("comparing phase %s on %s: %w", s.phase, s.label(), err)
		}
		c.Lines = append(c.Lines, lines...)
	}
	judge(c.Lines, o.Level)
	return c, nil
}

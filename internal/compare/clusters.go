package compare

import (
	"fmt"

	"github.com/kvscen/kvscen/internal/result"
)

// Pair is one metric of one phase on two clusters.
type Pair struct {
	Base, New string // labels
	Phase     string
	Op        string // empty: all of them
	Step      int    // from 0; result.Merged: all of them
	Metric    string
}

// Clusters compares two clusters of a run at DefaultLevel, their repetitions as
// the unit. The line is adjusted for nothing: it is the one that was asked for.
func Clusters(r *result.Run, p Pair) (*Line, error) {
	metrics, err := find([]string{p.Metric})
	if err != nil {
		return nil, err
	}
	s := subject{
		base: Side{Name: p.Base, Runs: []*result.Run{r}}, new: Side{Name: p.New, Runs: []*result.Run{r}},
		from: p.Base, to: p.New, phase: p.Phase, op: p.Op, step: p.Step,
	}
	lines, err := s.lines(metrics, DefaultLevel)
	if err != nil {
		return nil, fmt.Errorf("comparing %s and %s: %w", p.Base, p.New, err)
	}
	judge(lines, DefaultLevel)
	return &lines[0], nil
}

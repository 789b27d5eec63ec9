package compare

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

// Condition is what a user does not want to see: a metric that has moved by more
// than a bound, in one direction.
type Condition struct {
	Text   string // as given: "p99 > +5%"
	Metric string
	Rise   bool    // > rather than <
	Bound  float64 // signed: percent of base, or in the metric's unit
	Share  bool    // Bound is in percent
}

var conditionForm = regexp.MustCompile(`^\s*([A-Za-z][A-Za-z0-9_.]*)\s*([<>])\s*([+-])\s*([0-9.]+)\s*([A-Za-z%µ]*)\s*$`)

// ParseCondition reads METRIC > +BOUND or METRIC < -BOUND, where the bound is in
// percent ("p99 > +5%"), or a duration for latencies ("p99 > +2ms"), or a number
// in the unit of the metric ("error_rate > +0.001").
func ParseCondition(text string) (Condition, error) {
	wrong := func(why string) (Condition, error) {
		return Condition{}, fmt.Errorf("condition %q: %s; want one such as \"p99 > +5%%\" or \"throughput < -3%%\"", text, why)
	}
	m := conditionForm.FindStringSubmatch(text)
	if m == nil {
		return wrong("not of the form METRIC > +BOUND or METRIC < -BOUND")
	}
	found, err := find([]string{m[1]})
	if err != nil {
		return wrong("there is no metric " + m[1])
	}
	c := Condition{Text: strings.TrimSpace(text), Metric: m[1], Rise: m[2] == ">", Share: m[5] == "%"}
	if c.Rise != (m[3] == "+") {
		return wrong("a rise is > +BOUND, a fall is < -BOUND")
	}
	switch {
	case m[5] == "" || c.Share:
		if c.Bound, err = strconv.ParseFloat(m[4], 64); err != nil {
			return wrong(m[4] + " is no number")
		}
	case found[0].unit == result.UnitNanoseconds:
		d, err := time.ParseDuration(m[4] + m[5])
		if err != nil {
			return wrong(m[4] + m[5] + " is no duration")
		}
		c.Bound = float64(d)
	default:
		return wrong("the metric is in " + found[0].unit + ", it takes a number or %")
	}
	if !c.Rise {
		c.Bound = -c.Bound
	}
	return c, nil
}

// Violations gives the lines in which a condition is met: the difference lies
// beyond the bound, and it is no chance one, which p says, adjusted over the
// lines that the conditions are about. Of those that too few runs keep from
// being judged, undecided says so.
func (c *Comparison) Violations(conditions []Condition) (violated []Violation, undecided []Line) {
	about := make([]*Line, 0, len(c.Lines))
	lines := make([]Line, len(c.Lines))
	copy(lines, c.Lines)
	for i := range lines {
		l := &lines[i]
		for _, cond := range conditions {
			if l.Metric != cond.Metric {
				continue
			}
			switch l.Verdict {
			case Unknown, NotKnown:
				undecided = append(undecided, *l)
			default:
				about = append(about, l)
			}
			break
		}
	}
	adjust(about)
	for _, l := range about {
		for _, cond := range conditions {
			if cond.Metric == l.Metric && l.Adjusted < c.Level && l.Delta.apart() && cond.beyond(l) {
				violated = append(violated, Violation{Condition: cond, Line: *l})
			}
		}
	}
	return violated, undecided
}

// Violation is a condition that a line meets.
type Violation struct {
	Condition Condition
	Line      Line
}

// beyond is true where the difference exceeds the bound. Of nothing any rise is
// beyond every share.
func (c Condition) beyond(l *Line) bool {
	moved := l.Delta.Value.V
	if c.Share {
		moved = l.Percent()
	}
	if c.Rise {
		return moved > c.Bound
	}
	return moved < c.Bound
}

// Percent is the difference in percent of base: infinite where base is 0 and new
// is not.
func (l *Line) Percent() float64 {
	d, base := l.Delta.Value.V, l.Base.Center.V
	if d == 0 {
		return 0
	}
	return 100 * d / math.Abs(base)
}

package report

import (
	"fmt"
	"slices"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

// logged sums up, a line a marker, what the members' logs say of a phase: how
// often, and when. Some markers match a line a second.
func logged(p *result.Phase, line func(text string)) {
	var labels []string
	for _, l := range p.Logged {
		if !slices.Contains(labels, l.Label) {
			labels = append(labels, l.Label)
		}
	}
	slices.Sort(labels)
	for _, label := range labels {
		line(fmt.Sprintf("%s: %s in the members' logs%s", clean(p.Name), clean(label), timesOf(p, label)))
	}
}

// timesOf says how many lines of a label there are and when the first and the last
// were written.
func timesOf(p *result.Phase, label string) string {
	var first, last *result.Logged
	lines, unknown, seconds := 0, 0, map[time.Duration]bool{}
	for i := range p.Logged {
		l := &p.Logged[i]
		if l.Label != label {
			continue
		}
		lines += l.Count
		if l.AtRead {
			unknown += l.Count
			continue
		}
		seconds[l.At.Sub(p.Start).Truncate(time.Second)] = true
		if first == nil {
			first = l
		}
		last = l
	}
	text := ", " + plural(lines, "line")
	switch after := func(l *result.Logged) string { return span(l.At.Sub(p.Start)) }; {
	case len(seconds) == 1:
		text += fmt.Sprintf(`, %s into the phase: "%s"`, after(first), clean(first.Text))
	case len(seconds) > 1:
		text += fmt.Sprintf(" in %s, the first %s into the phase, the last %s", plural(len(seconds), "second"), after(first), after(last))
	}
	if unknown > 0 {
		text += fmt.Sprintf(", of %s it is not known when: they bear no time", plural(unknown, "line"))
	}
	return text
}

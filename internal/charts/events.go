package charts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

// events are those of a run in the time of the phase, and what the members' logs
// say of it.
func (r *run) events() []Event {
	var list []Event
	for _, e := range r.cluster.Events {
		text := e.Kind
		if e.Member != "" {
			text += " " + e.Member
		}
		list = r.during(list, e.At, text)
	}
	return append(list, r.logged()...)
}

// during adds an event if it is of the time of the phase.
func (r *run) during(list []Event, when time.Time, text string) []Event {
	at := when.Sub(r.phase.Start)
	if at < 0 || at > r.length() {
		return list
	}
	return append(list, Event{At: at.Seconds(), Color: r.color, Text: r.label() + ": " + text})
}

// logged are the marked lines of the logs, those of one kind in one second as one
// event, whatever member they are of. Lines of which nobody knows when they were
// written have no place on the axis of time.
func (r *run) logged() []Event {
	type second struct {
		label string
		n     int64
	}
	groups := map[second][]result.Logged{}
	var order []second
	for _, l := range r.phase.Logged {
		if l.AtRead {
			continue
		}
		k := second{l.Label, int64(l.At.Sub(r.phase.Start).Truncate(time.Second))}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], l)
	}
	var list []Event
	for _, k := range order {
		g := groups[k]
		first := slices.MinFunc(g, func(a, b result.Logged) int { return a.At.Compare(b.At) })
		list = r.during(list, first.At, k.label+" in the log of "+members(g))
	}
	slices.SortStableFunc(list, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
	return list
}

// members says whose logs the lines are in, and how many there are.
func members(g []result.Logged) string {
	count := 0
	var names []string
	for _, l := range g {
		count += l.Count
		if !slices.Contains(names, l.Member) {
			names = append(names, l.Member)
		}
	}
	slices.Sort(names)
	text := strings.Join(names, ", ")
	if count > 1 {
		text += fmt.Sprintf(", %d times", count)
	}
	return text
}

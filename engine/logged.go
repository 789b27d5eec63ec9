package engine

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kvscen/kvscen/internal/cluster"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

const (
	// stampSlack is how far outside of the phase the time of a line may lie and
	// still be believed: clocks differ, and a line may have waited in a buffer.
	stampSlack   = 2 * time.Second
	loggedLength = 160 // bytes of a line that are kept
)

// logged finds the lines of a member's logs that its recipe has marked, between
// two readings, second by second.
func (s *session) logged(m cluster.Member, from, to reading, p *phaseRun) []result.Logged {
	zone, ahead := time.Local, s.aheadOf(m)
	if m.Remote != nil {
		zone = m.Remote.Zone()
	}
	earliest, latest := from.at.Add(-stampSlack), time.Now().Add(stampSlack)
	var list []result.Logged
	type second struct {
		label  string
		n      int64
		atRead bool
	}
	index := map[second]int{}
	for _, path := range m.Logs {
		err := cluster.EachMarked(path, from.logs[path], to.logs[path], s.plan.Cluster.Markers, func(label string, line []byte) {
			at, ok := cluster.LogTime(line, zone)
			at = at.Add(-ahead)
			if ok = ok && at.After(earliest) && at.Before(latest); !ok {
				at = to.at
			}
			k := second{label, int64(at.Sub(p.result.Start).Truncate(time.Second)), !ok}
			i, known := index[k]
			if !known {
				i = len(list)
				index[k] = i
				list = append(list, result.Logged{At: at, Member: m.Name, Label: label, AtRead: !ok, Text: beginning(line)})
			}
			list[i].Count++
		})
		if err != nil {
			s.note(Event{Kind: KindWarning, Text: err.Error()})
		}
	}
	return list
}

// aheadOf is how far the clock of a member's machine was ahead of ours when it was
// last looked at.
func (s *session) aheadOf(m cluster.Member) time.Duration {
	if m.Remote == nil {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range slices.Backward(s.result.Clocks) {
		if c.Host == m.Remote.Name() {
			return c.Offset
		}
	}
	return 0
}

// beginning is what is kept of a line.
func beginning(line []byte) string {
	text := strings.TrimSpace(string(line[:min(len(line), loggedLength)]))
	return strings.ToValidUTF8(text, "")
}

// counted sums the lines by label. A label of which no line was found has a zero,
// where there was a log to look into.
func counted(m cluster.Member, markers []plan.Marker, found []result.Logged) []result.MarkerCount {
	if len(m.Logs) == 0 {
		return nil
	}
	counts := map[string]int{}
	for _, marker := range markers {
		counts[marker.Label] = 0
	}
	for _, l := range found {
		counts[l.Label] += l.Count
	}
	var list []result.MarkerCount
	for _, label := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, result.MarkerCount{Member: m.Name, Label: label, Count: counts[label]})
	}
	return list
}

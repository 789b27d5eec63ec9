package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kvscen/kvscen/internal/cluster"
)

const (
	quoteWithin = 64 << 10 // bytes at the end of a log in which the reason of a failure is looked for
	quoteLength = 300      // bytes of a line that are quoted
)

// quoteFailures keeps what the logs say of a phase in which requests failed: the
// last line of each kind that the recipe has marked. Some stores give their
// reasons there alone.
func (s *session) quoteFailures(from, to cluster.LogMark) {
	for _, m := range s.up.members {
		for _, path := range m.Logs {
			if text := s.marked(path, from[path], to[path]); text != "" {
				s.event("log", m.Name, fmt.Sprintf("while requests failed, the log of %s says %s", m.Name, text))
			}
		}
	}
}

// withLog adds to an error of connecting what the end of the member's log says,
// of the time since the cluster was ready.
func (s *session) withLog(m cluster.Member, err error) error {
	if s.up.cluster == nil {
		return err
	}
	sizes, markErr := s.up.cluster.MarkLogs()
	if markErr != nil {
		return err // the error says enough without
	}
	for _, path := range m.Logs {
		from := max(s.up.readyLogs[path], sizes[path]-quoteWithin)
		if text := s.marked(path, from, sizes[path]); text != "" {
			err = fmt.Errorf("%w; its log says %s", err, text)
		}
	}
	return err
}

// marked quotes the last line of each kind that is marked; empty: there is none,
// or it can't be read.
func (s *session) marked(path string, from, to int64) string {
	lines, err := cluster.LastMarked(path, from, to, s.plan.Cluster.Markers)
	if err != nil {
		return ""
	}
	var quotes []string
	for _, label := range slices.Sorted(maps.Keys(lines)) {
		line := strings.TrimSpace(lines[label])
		if len(line) > quoteLength {
			line = strings.ToValidUTF8(line[:quoteLength], "") + "..."
		}
		quotes = append(quotes, fmt.Sprintf("%q (%s)", line, label))
	}
	return strings.Join(quotes, ", ")
}

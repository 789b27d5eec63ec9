package cluster

import (
	"fmt"
	"regexp"

	"github.com/kvscen/kvscen/internal/plan"
)

// EachMarked calls f, in the order of the log, with every line that matches a
// marker between two offsets in bytes; to below 0 is the end of the log. The line
// is valid until f returns. A line belongs to the side of an offset on which it
// ends; lines longer than 256 KiB are looked at up to there. A log that does not
// exist has no lines.
func EachMarked(path string, from, to int64, markers []plan.Marker, f func(label string, line []byte)) error {
	patterns := make([]*regexp.Regexp, len(markers))
	for i, m := range markers {
		p, err := regexp.Compile(m.Regexp)
		if err != nil {
			return fmt.Errorf("%v: marker %s: %w", m.Pos, m.Label, err)
		}
		patterns[i] = p
	}
	if len(markers) == 0 {
		return nil
	}
	from, err := lineStart(path, max(0, from))
	if err == nil {
		_, err = eachLine(path, from, to, func(line []byte) {
			for i, p := range patterns {
				if p.Match(line) {
					f(markers[i].Label, line)
				}
			}
		})
	}
	if err != nil {
		return fmt.Errorf("look for markers in %s: %w", path, err)
	}
	return nil
}

// CountMarkers counts the lines of EachMarked by label. Every label is in the
// result.
func CountMarkers(path string, from, to int64, markers []plan.Marker) (map[string]int, error) {
	counts := make(map[string]int)
	for _, m := range markers {
		counts[m.Label] += 0
	}
	err := EachMarked(path, from, to, markers, func(label string, _ []byte) { counts[label]++ })
	if err != nil {
		return nil, err
	}
	return counts, nil
}

// LastMarked is, by label, the last line of EachMarked.
func LastMarked(path string, from, to int64, markers []plan.Marker) (map[string]string, error) {
	last := make(map[string]string)
	err := EachMarked(path, from, to, markers, func(label string, line []byte) { last[label] = string(line) })
	if err != nil {
		return nil, err
	}
	return last, nil
}

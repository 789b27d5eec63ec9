package cluster

import (
	"fmt"
	"regexp"

	"github.com/kvscen/kvscen/internal/plan"
)

// LastMarked finds, by label, the last line of a log that matches a marker between
// two offsets in bytes, as CountMarkers counts them; to below 0 is the end of the
// log.
func LastMarked(path string, from, to int64, markers []plan.Marker) (map[string]string, error) {
	last := make(map[string]string)
	patterns := make([]*regexp.Regexp, len(markers))
	for i, m := range markers {
		p, err := regexp.Compile(m.Regexp)
		if err != nil {
			return nil, fmt.Errorf("%v: marker %s: %w", m.Pos, m.Label, err)
		}
		patterns[i] = p
	}
	from, err := lineStart(path, max(0, from))
	if err == nil {
		_, err = eachLine(path, from, to, func(line []byte) {
			for i, p := range patterns {
				if p.Match(line) {
					last[markers[i].Label] = string(line)
				}
			}
		})
	}
	if err != nil {
		return nil, fmt.Errorf("look for markers in %s: %w", path, err)
	}
	return last, nil
}

package engine

import (
	"math"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

func TestStalledMark(t *testing.T) {
	gap := math.NaN()
	for name, c := range map[string]struct {
		values result.Values
		bad    bool
	}{
		"every second":     {result.Values{1, 2, 3}, false},
		"two missing":      {result.Values{1, gap, gap, 2}, false},
		"three missing":    {result.Values{1, gap, gap, gap, 2}, true},
		"none at the ends": {result.Values{gap, gap, gap, 1, 2, gap, gap, gap}, false},
		"nothing":          {nil, false},
	} {
		s := &result.Samples{Step: time.Second, Tracks: []result.Track{
			{Source: "member:m1", Name: "cpu_percent", Values: result.Values{1, gap, gap, gap, gap, 2}}, // not the client
			{Source: "client", Name: "cpu_percent", Values: c.values},
		}}
		if m := stalledMark(s); (m != nil) != c.bad || m != nil && !m.Bad {
			t.Errorf("%s: mark %+v, want one: %v", name, m, c.bad)
		}
	}
}

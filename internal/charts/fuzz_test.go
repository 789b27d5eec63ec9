package charts

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/kvscen/kvscen/internal/result"
)

// Whatever a result holds, its charts are refused or can be drawn: lines are not
// too long, X is a number, and so is what JSON says of them.
func FuzzOf(f *testing.F) {
	whole, err := json.Marshal(runOfFuzz())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte(`{"clusters":[{"label":"a","phases":[{"name":"w","ops":[{}],"steps":[{"series":[{"seconds":{"ok":[1],"failed":[],"bins":[[[4294967295,1]]]}}]}]}]}]}`))
	f.Add([]byte(`{"clusters":[{"label":"a","phases":[{"name":"w","ops":[{}],"steps":[{"series":[{"ranges":{"first":18446744073709551615,"width":0,"ok":[1,2],"min":[1,null],"mean":[1,2],"max":[-1,2]}}]}],"samples":{"start":-9223372036854775808,"tracks":[{"source":"member:x","name":"rss_bytes","values":[1,null]}]}}]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var r result.Run
		if json.Unmarshal(text, &r) != nil {
			return
		}
		list, err := Of(&r)
		if err != nil {
			return
		}
		if _, err := json.Marshal(list); err != nil {
			t.Errorf("as JSON: %v", err)
		}
		for _, c := range list {
			for _, l := range c.Lines {
				if len(l.XY) > MaxPoints {
					t.Errorf("%s: a line of %d points", c.Name, len(l.XY))
				}
				for _, p := range l.XY {
					if c.Time && math.IsNaN(p.X) {
						t.Errorf("%s: X is not a number", c.Name)
					}
				}
			}
		}
	})
}

// runOfFuzz is small, so that much can be made of it.
func runOfFuzz() *result.Run {
	step := result.Step{Clients: 1, From: 0, To: 2e9, Series: []result.Series{{
		Op: "put", OK: 2, Seconds: seconds(0, []uint32{1, 0, 1}, 1e6, nan, 2e6),
		Ranges: &result.Ranges{Width: 1000, OK: []uint32{2}, Min: result.Values{1}, Mean: result.Values{2}, Max: result.Values{3}},
	}}}
	return &result.Run{Clusters: []result.Cluster{{Label: "a", Phases: []result.Phase{{
		Name: "w", Ops: []result.Op{{Name: "put"}}, Steps: []result.Step{step, step},
		Samples: result.Samples{Step: 1e9, Tracks: []result.Track{{Source: "member:m", Name: "rss_bytes", Values: result.Values{1, nan, 3}}}},
	}}}}}
}

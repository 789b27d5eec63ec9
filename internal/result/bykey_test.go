package result

import (
	"math"
	"slices"
	"testing"
	"time"
)

var none = math.NaN()

func TestLatencyByKey(t *testing.T) {
	p := &Phase{Steps: []Step{
		{Warmup: Counts{Attempted: 100}, Counts: Counts{Attempted: 1400}, Series: []Series{
			{Ranges: &Ranges{First: 0, Width: 1000, OK: []uint32{900, 490}, Min: Values{1, 2}, Mean: Values{3, 4}, Max: Values{5, 6}}}}},
		{Counts: Counts{Attempted: 4000}, Series: []Series{
			{Ranges: &Ranges{First: 1500, Width: 2000, OK: []uint32{0, 7}, Min: Values{none, 2}, Mean: Values{none, 8}, Max: Values{none, 9}}}}},
		{Series: []Series{{}}}, // nothing ok, or an older result
	}}
	want := []KeyRange{{0, 1000, 900, 1, 3, 5}, {1000, 1500, 490, 2, 4, 6}, {3500, 5500, 7, 2, 8, 9}}
	if got := p.LatencyByKey(0); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := p.LatencyByKey(1); got != nil {
		t.Errorf("an operation that is not there has %+v", got)
	}
}

// TestTrackByKey has four seconds of 600 requests after a warm-up of 100, with
// a sample at the end of each, of two members.
func TestTrackByKey(t *testing.T) {
	p := &Phase{
		Steps: []Step{{
			From: time.Second, To: 5 * time.Second, Warmup: Counts{Attempted: 100},
			Series: []Series{{Seconds: Seconds{Start: time.Second, Step: time.Second, OK: []uint32{600, 600, 500, 600}, Failed: []uint32{0, 0, 100, 0}}}},
		}},
		Samples: Samples{Start: 500 * time.Millisecond, Step: time.Second, Tracks: []Track{
			{Source: "member:m1", Name: "rss_bytes", Values: Values{1, 2, 10, 20, 30, 40}}, // after 0, 100, 700, 1300, 1900 and 2500 requests
			{Source: "member:m2", Name: "rss_bytes", Values: Values{1, 4, none, 22, none, 40}},
			{Source: "client", Name: "rss_bytes", Values: Values{9, 9, 9, 9, 9, 9}},
		}},
	}
	want := []KeyRange{{0, 1000, 3, 2, 16. / 3, 10}, {1000, 2000, 3, 20, 24, 30}, {2000, 2500, 2, 40, 40, 40}}
	got := p.TrackByKey("member:", "rss_bytes")
	if len(got) != len(want) {
		t.Fatalf("%+v, want %+v", got, want)
	}
	for i := range got {
		if math.Abs(got[i].Mean-want[i].Mean) > 1e-9 {
			t.Errorf("mean %g, want %g", got[i].Mean, want[i].Mean)
		}
		if got[i].Mean = want[i].Mean; got[i] != want[i] {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
	if got := (&Phase{}).TrackByKey("member:", "rss_bytes"); got != nil {
		t.Errorf("nothing sampled gives %+v", got)
	}
}

func TestJoinRanges(t *testing.T) {
	var list []KeyRange
	for i := range uint64(10) {
		list = append(list, KeyRange{From: i, To: i + 1, N: i + 1, Min: float64(i), Mean: float64(i), Max: float64(i)})
	}
	got := JoinRanges(slices.Clone(list), 3)
	n := uint64(0)
	for _, k := range got {
		n += k.N
	}
	if len(got) != 3 || n != 55 || got[0].Min != 0 || got[2].Max != 9 || got[2].To != 10 || got[1].From != got[0].To {
		t.Errorf("joined: %+v", got)
	}
	if got := JoinRanges(list, 10); !slices.Equal(got, list) {
		t.Errorf("what is few was changed: %+v", got)
	}
}

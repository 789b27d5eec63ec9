package report

import (
	"slices"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

func TestLoggedIsALineAMarker(t *testing.T) {
	begin := start()
	at := func(s float64) time.Time { return begin.Add(time.Duration(s * float64(time.Second))) }
	p := &result.Phase{Name: "write", Start: begin, Logged: []result.Logged{
		{At: at(1.5), Member: "m1", Label: "snapshots", Count: 1, Text: "INFO snap\x1bshot"},
		{At: at(2), Member: "m1", Label: "slow requests", Count: 3},
		{At: at(2.5), Member: "m2", Label: "slow requests", Count: 4},
		{At: at(9), Member: "m1", Label: "slow requests", Count: 5},
		{At: at(10), Member: "m1", Label: "slow requests", Count: 2, AtRead: true},
		{At: at(10), Member: "m1", Label: "pauses", Count: 1, AtRead: true},
	}}
	var got []string
	logged(p, func(text string) { got = append(got, text) })
	want := []string{
		"write: pauses in the members' logs, 1 line, of 1 line it is not known when: they bear no time",
		"write: slow requests in the members' logs, 14 lines in 2 seconds, the first 2s into the phase, the last 9s, of 2 lines it is not known when: they bear no time",
		`write: snapshots in the members' logs, 1 line, 1.5s into the phase: "` + clean("INFO snap\x1bshot") + `"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

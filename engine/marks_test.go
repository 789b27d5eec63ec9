package engine

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// hist makes a histogram of n times the same value.
func hist(t *testing.T, n int, v time.Duration) *result.Hist {
	t.Helper()
	h := result.NewHDR()
	if err := h.RecordValues(int64(v), int64(n)); err != nil {
		t.Fatal(err)
	}
	out := &result.Hist{N: uint64(n), Sum: uint64(n) * uint64(v), Min: int64(v), Max: int64(v)}
	if err := out.Encode(h); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestMarks(t *testing.T) {
	steady := []uint32{100, 100, 100, 100, 100, 100, 100, 100, 100, 7}
	// A step without a doubt, for each case to spoil.
	sound := func() result.Step {
		return result.Step{Clients: 10, To: 9 * time.Second, Counts: result.Counts{Due: 907, Attempted: 907, OK: 907},
			Client: result.ClientHealth{CPUSeconds: result.Known(1)},
			Series: []result.Series{{Op: "get", OK: 907, Found: 907, Seconds: result.Seconds{OK: steady}}}}
	}
	open := func(s *result.Step, lag, response time.Duration) {
		s.Open, s.Rate = true, "100/s"
		s.Lag, s.Series[0].Response = hist(t, 5000, lag), hist(t, 5000, response)
	}
	tests := []struct {
		name  string
		spoil func(s *result.Step)
		want  string // kind, with ! where it is bad; empty: no mark
	}{
		{"sound", func(*result.Step) {}, ""},
		{"client at 90 % of all cores", func(s *result.Step) {
			s.Client.CPUSeconds = result.Known(0.9 * 9 * float64(min(runtime.GOMAXPROCS(0), runtime.NumCPU())))
		}, "client-bound!"},
		{"the same in a short step", func(s *result.Step) {
			s.To, s.Client.CPUSeconds = 10*time.Millisecond, result.Known(1)
		}, ""},
		{"missed", func(s *result.Step) { s.Counts.Due, s.Counts.Missed = 1000, 93 }, "schedule-missed!"},
		{"few errors", func(s *result.Step) { s.Counts.OK, s.Counts.Failed = 900, 7 }, "errors"},
		{"many errors", func(s *result.Step) { s.Counts.OK, s.Counts.Failed = 800, 107 }, "errors!"},
		{"late", func(s *result.Step) { open(s, 2*time.Millisecond, 10*time.Millisecond) }, "late!"},
		{"late by less than a tenth of the response", func(s *result.Step) { open(s, 2*time.Millisecond, 30*time.Millisecond) }, ""},
		{"late by less than a millisecond", func(s *result.Step) { open(s, 900*time.Microsecond, time.Millisecond) }, ""},
		{"falling", func(s *result.Step) {
			s.Series[0].Seconds.OK = []uint32{100, 100, 100, 100, 100, 100, 70, 70, 70, 1}
		}, "unsettled!"},
		{"rising", func(s *result.Step) {
			s.Series[0].Seconds.OK = []uint32{100, 100, 100, 100, 100, 100, 130, 130, 130, 1}
		}, "unsettled!"},
		{"short", func(s *result.Step) { s.Series[0].Seconds.OK = steady[:6] }, "short"},
		{"a long pause", func(s *result.Step) { s.Client.GCPauseMax = 30 * time.Millisecond }, "client-paused"},
		{"keys that are not there", func(s *result.Step) { s.Series[0].Found = 0 }, "nothing-found"},
		{"a scan finds entries, not a key", func(s *result.Step) { s.Series[0].Op, s.Series[0].Found = "scan", 0 }, ""},
	}
	session := &session{up: &up{}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			step := sound()
			tt.spoil(&step)
			var got []string
			for _, m := range marks(session, &plan.Phase{Steps: make([]plan.Step, 1)}, &result.Phase{Steps: []result.Step{step}}) {
				kind := m.Kind
				if m.Bad {
					kind += "!"
				}
				if m.Text == "" || m.Step != 0 {
					t.Errorf("mark %+v has no text or step", m)
				}
				got = append(got, kind)
			}
			if want := slices.DeleteFunc([]string{tt.want}, func(s string) bool { return s == "" }); !slices.Equal(got, want) {
				t.Errorf("marks %s, want %s", strings.Join(got, " "), tt.want)
			}
		})
	}
}

func TestARampIsNotExpectedToSettle(t *testing.T) {
	step := result.Step{Open: true, Rate: "100/s to 1,000/s over 9s", To: 9 * time.Second,
		Series: []result.Series{{Op: "put", OK: 450, Seconds: result.Seconds{OK: []uint32{10, 20, 30, 40, 50, 60, 70, 80, 90, 1}}}}}
	ramp := &plan.Phase{Steps: []plan.Step{{Rate: plan.Rate{From: 100, To: 1000, Over: 9 * time.Second}}}}
	if m := unsettledMark(ramp, &step); m != nil {
		t.Errorf("mark %+v on a ramp", m)
	}
}

package load

import (
	"math"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/plan"
)

func TestPacers(t *testing.T) {
	const s = time.Second
	tests := []struct {
		name string
		step plan.Step
		n    uint64
		due  time.Duration
		more bool
	}{
		{"first", plan.Step{Rate: plan.Rate{From: 1000, To: 1000}}, 0, 0, true},
		{"constant", plan.Step{Rate: plan.Rate{From: 1000, To: 1000}}, 1500, 1500 * time.Millisecond, true},
		{"a rate that does not divide", plan.Step{Rate: plan.Rate{From: 3, To: 3}}, 1, 333_333_333, true},
		{"below one a second", plan.Step{Rate: plan.Rate{From: 0.1, To: 0.1}}, 2, 20 * s, true},
		{"last of the requests", plan.Step{Rate: plan.Rate{From: 10, To: 10}, Requests: 100}, 99, 9900 * time.Millisecond, true},
		{"beyond the requests", plan.Step{Rate: plan.Rate{From: 10, To: 10}, Requests: 100}, 100, 10 * s, false},
		{"at the end", plan.Step{Rate: plan.Rate{From: 10, To: 10}, Duration: 10 * s}, 100, 10 * s, false},
		{"before the end", plan.Step{Rate: plan.Rate{From: 10, To: 10}, Duration: 10 * s}, 99, 9900 * time.Millisecond, true},
		// From 0 to 100/s over 10 s: t²*5 requests by t.
		{"ramp up", plan.Step{Rate: plan.Rate{From: 0, To: 100, Over: 10 * s}}, 125, 5 * s, true},
		{"end of the ramp", plan.Step{Rate: plan.Rate{From: 0, To: 100, Over: 10 * s}}, 500, 10 * s, true},
		{"after the ramp", plan.Step{Rate: plan.Rate{From: 0, To: 100, Over: 10 * s}}, 600, 11 * s, true},
		// From 100 to 0/s over 10 s: 100t - 5t² by t.
		{"ramp down", plan.Step{Rate: plan.Rate{From: 100, To: 0, Over: 10 * s}}, 375, 5 * s, true},
		{"never due", plan.Step{Rate: plan.Rate{From: 100, To: 0, Over: 10 * s}, Duration: time.Hour}, 500, math.MaxInt64, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			due, more := newPacer(&tt.step).At(tt.n)
			if d := due - tt.due; d < -1 || d > 1 || more != tt.more {
				t.Errorf("At(%d) = %v, %v; want %v, %v", tt.n, due, more, tt.due, tt.more)
			}
		})
	}
}

func TestNoRateIsNoPacer(t *testing.T) {
	if p := newPacer(&plan.Step{Requests: 5}); p != nil {
		t.Errorf("a closed loop has the schedule %v", p)
	}
}

func TestDueBefore(t *testing.T) {
	rate := plan.Rate{From: 1000, To: 1000}
	tests := []struct {
		step plan.Step
		t    time.Duration
		want uint64
	}{
		{plan.Step{Rate: rate, Duration: time.Minute}, 0, 0},
		{plan.Step{Rate: rate, Duration: time.Minute}, 1, 1},
		{plan.Step{Rate: rate, Duration: time.Minute}, time.Second, 1000},
		{plan.Step{Rate: rate, Duration: time.Minute}, math.MaxInt64, 60_000},
		{plan.Step{Rate: rate, Requests: 77}, math.MaxInt64, 77},
	}
	for _, tt := range tests {
		if got := dueBefore(newPacer(&tt.step), tt.t); got != tt.want {
			t.Errorf("%+v: %d due before %v, want %d", tt.step, got, tt.t, tt.want)
		}
	}
}

// The schedules of all shards together are the whole schedule.
func TestShards(t *testing.T) {
	whole := newPacer(&plan.Step{Rate: plan.Rate{From: 100, To: 300, Over: time.Second}, Requests: 100})
	const count = 3
	seen := 0
	for i := range uint64(count) {
		s := shard{whole, i, count}
		for n := uint64(0); ; n++ {
			due, more := s.At(n)
			if !more {
				break
			}
			if want, _ := whole.At(n*count + i); due != want {
				t.Errorf("shard %d: request %d is due at %v, want %v", i, n, due, want)
			}
			seen++
		}
	}
	if seen != 100 {
		t.Errorf("the shards have %d requests, want 100", seen)
	}
}

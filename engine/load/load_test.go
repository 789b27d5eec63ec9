package load

import (
	"fmt"
	"maps"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kvscen/kvscen/internal/plan"
)

func TestClosedLoopCountsAndTimes(t *testing.T) {
	eachRunner(t, func(t *testing.T, connections int) {
		b := newBench(t, map[string]any{"service": 10 * time.Millisecond})
		r := b.run(steps(1000, connections, put("sequential"), 10), nil)[0].Result
		if r.Counts.OK != 1000 || r.Counts.Asked != 1000 || r.EndedBy != EndRequests {
			t.Errorf("ended by %s with %+v", r.EndedBy, r.Counts)
		}
		if w := r.To - r.From; w != time.Second { // 1000 requests / 10 clients * 10 ms
			t.Errorf("W is %v, want 1s", w)
		}
		h := r.Series[0].Service
		if h.Min != int64(10*time.Millisecond) || h.Max != int64(10*time.Millisecond) || h.Sum != uint64(10*time.Second) {
			t.Errorf("service times are %+v, want 10 ms each", h)
		}
		if r.Series[0].Written != 1000*(16+64) {
			t.Errorf("%d payload bytes written, want %d", r.Series[0].Written, 1000*(16+64))
		}
	})
}

func TestFewerRequestsThanClients(t *testing.T) {
	eachRunner(t, func(t *testing.T, connections int) {
		b := newBench(t, map[string]any{"service": time.Millisecond})
		for _, requests := range []uint64{1, 7, 50} {
			if r := b.run(steps(requests, connections, get("uniform"), 50), nil)[0].Result; r.Counts.OK != requests {
				t.Errorf("%d requests by 50 clients: %+v", requests, r.Counts)
			}
		}
	})
}

// open makes a phase of one step with a schedule.
func open(rate plan.Rate, clients, connections int, duration time.Duration, requests uint64) *plan.Phase {
	return &plan.Phase{Name: "p", Ops: []plan.Op{get("uniform")}, Requests: requests, MaxErrors: -1, Steps: []plan.Step{{
		Clients: clients, Connections: min(connections, clients), Rate: rate, Duration: duration, Requests: requests}}}
}

func TestOpenLoopKeepsItsSchedule(t *testing.T) {
	eachRunner(t, func(t *testing.T, connections int) {
		b := newBench(t, map[string]any{"service": 3 * time.Millisecond})
		r := b.run(open(plan.Rate{From: 1000, To: 1000}, 20, connections, 5*time.Second, 0), nil)[0].Result
		if r.Counts.Due != 5000 || r.Counts.OK != 5000 || r.Counts.Missed != 0 {
			t.Errorf("counts %+v, want 5000 due and ok", r.Counts)
		}
		if w := r.To - r.From; w != 4999*time.Millisecond+3*time.Millisecond {
			t.Errorf("W is %v, want 5.002s", w)
		}
		if h := r.Series[0].Response; h.Max != int64(3*time.Millisecond) || r.Lag.Max != 0 {
			t.Errorf("response up to %v, lag up to %v; want 3ms and 0", time.Duration(h.Max), time.Duration(r.Lag.Max))
		}
		if r.EndedBy != EndDuration {
			t.Errorf("ended by %s", r.EndedBy)
		}
	})
}

// A stall of the store must show in the response times of every request that was
// due in it, though only as many as there are clients could be sent.
func TestStallIsChargedToAllThatWereDue(t *testing.T) {
	eachRunner(t, func(t *testing.T, connections int) {
		b := newBench(t, map[string]any{"service": time.Millisecond, "stall_every": int64(1000), "stall_for": time.Second})
		r := b.run(open(plan.Rate{From: 100, To: 100}, 4, connections, 20*time.Second, 0), nil)[0].Result
		s := r.Series[0]
		slow := uint64(0)
		hdr, err := s.Response.HDR()
		if err != nil {
			t.Fatal(err)
		}
		for _, bar := range hdr.Distribution() {
			if bar.From > int64(100*time.Millisecond) {
				slow += uint64(bar.Count)
			}
		}
		// The stall comes once, at 10 s, and lasts 1 s: of the 100 requests due
		// in it about 90 respond later than 0.1 s.
		if r.Counts.OK != 2000 || slow < 85 || slow > 100 {
			t.Errorf("%d ok, %d responses above 100 ms; want 2000 and about 90", r.Counts.OK, slow)
		}
		if over := r.Lag.Max; over < int64(900*time.Millisecond) {
			t.Errorf("the latest start was %v late, want about 1s", time.Duration(over))
		}
	})
}

func TestOverloadIsMissedExactly(t *testing.T) {
	eachRunner(t, func(t *testing.T, connections int) {
		b := newBench(t, map[string]any{"service": 10 * time.Millisecond})
		// 5 clients do 500 a second of the 1000 that are due, until 50 ms after the end.
		r := b.run(open(plan.Rate{From: 1000, To: 1000}, 5, connections, 2*time.Second, 0), nil)[0].Result
		if r.Counts.Due != 2000 || r.Counts.OK != 1025 || r.Counts.Missed != 975 {
			t.Errorf("counts %+v, want 2000 due, 1025 ok, 975 missed", r.Counts)
		}
		if r.Missed == nil || r.Missed.N != 975 || r.Missed.Max != int64(975*time.Millisecond) || r.Missed.Min != int64(time.Millisecond) {
			t.Errorf("missed are charged with %+v, want 975 of 1 to 975 ms", r.Missed)
		}
	})
}

func TestRateWithRequestsEndsAfterTheLastDue(t *testing.T) {
	eachRunner(t, func(t *testing.T, connections int) {
		b := newBench(t, map[string]any{"service": 10 * time.Millisecond})
		p := open(plan.Rate{From: 1000, To: 1000}, 5, connections, 0, 1000)
		p.Timeout = 500 * time.Millisecond
		// The last is due at 0.999 s; starting ends at 1.549 s, after 155 rounds of 5.
		r := b.run(p, nil)[0].Result
		if r.Counts.Due != 1000 || r.Counts.OK != 775 || r.Counts.Missed != 225 || r.Counts.Undue != 0 || r.EndedBy != EndSchedule {
			t.Errorf("ended by %s, counts %+v; want schedule, 1000 due, 775 ok, 225 missed", r.EndedBy, r.Counts)
		}
	})
}

func TestWarmupIsCountedApart(t *testing.T) {
	tests := []struct {
		name   string
		phase  *plan.Phase
		warm   plan.Warmup
		wantOK uint64
		warmOK uint64
	}{
		{"count, closed", steps(1000, math.MaxInt32, get("uniform"), 10), plan.Warmup{Requests: 100}, 900, 100},
		{"duration, closed", steps(1000, math.MaxInt32, get("uniform"), 10), plan.Warmup{Duration: 195 * time.Millisecond}, 800, 200},
		{"count, open", open(plan.Rate{From: 100, To: 100}, 10, 10, 2*time.Second, 0), plan.Warmup{Requests: 30}, 170, 30},
		{"duration, open", open(plan.Rate{From: 100, To: 100}, 10, 10, 2*time.Second, 0), plan.Warmup{Duration: time.Second}, 100, 100},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, map[string]any{"service": 10 * time.Millisecond})
				tt.phase.Warmup = tt.warm
				r := b.run(tt.phase, nil)[0].Result
				if r.Counts.OK != tt.wantOK || r.Warmup.OK != tt.warmOK {
					t.Errorf("%d measured and %d warm-up, want %d and %d", r.Counts.OK, r.Warmup.OK, tt.wantOK, tt.warmOK)
				}
			})
		})
	}
}

func TestFailuresAreCountedByClass(t *testing.T) {
	tests := []struct {
		script map[string]any
		want   map[string]uint64
		took   time.Duration // of a failed request
	}{
		{map[string]any{"error_rate": 0.1}, map[string]uint64{"refused": 100}, time.Millisecond},
		{map[string]any{"loss_rate": 0.01}, map[string]uint64{"timeout": 10}, 100 * time.Millisecond},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.script), func(t *testing.T) {
			eachRunner(t, func(t *testing.T, connections int) {
				tt.script["service"] = time.Millisecond
				b := newBench(t, tt.script)
				p := steps(1000, connections, get("uniform"), 10)
				p.Timeout = 100 * time.Millisecond
				r := b.run(p, nil)[0].Result
				got := map[string]uint64{}
				for _, e := range r.Errors {
					got[e.Class] = e.Count
					if e.Sample == "" {
						t.Errorf("class %s has no text", e.Class)
					}
				}
				if !maps.Equal(got, tt.want) {
					t.Errorf("failed by class %v, want %v", got, tt.want)
				}
				if r.Failed.Min != int64(tt.took) || r.Failed.Max != int64(tt.took) {
					t.Errorf("failed requests took %v to %v, want %v", time.Duration(r.Failed.Min), time.Duration(r.Failed.Max), tt.took)
				}
			})
		})
	}
}

func TestMaxErrorsEndsAPhase(t *testing.T) {
	tests := []struct {
		max    float64
		failed uint64 // at least, and at most clients more
	}{{5, 6}, {0, 1}, {0.02, 21}}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.max), func(t *testing.T) {
			eachRunner(t, func(t *testing.T, connections int) {
				b := newBench(t, map[string]any{"service": time.Millisecond, "error_rate": 0.5})
				p := steps(1000, connections, get("uniform"), 4)
				p.MaxErrors = tt.max
				r := b.run(p, nil)[0].Result
				if r.EndedBy != EndMaxErrors || r.Counts.Failed < tt.failed || r.Counts.Failed > tt.failed+4 || r.Counts.Undue == 0 {
					t.Errorf("ended by %s with %+v", r.EndedBy, r.Counts)
				}
			})
		})
	}
}

func TestAStepWithoutProspectEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, map[string]any{"loss_rate": 1.0})
		r := b.run(steps(1_000_000, 1, get("uniform"), 10), nil)[0].Result
		if r.EndedBy != EndNothingOK || r.Counts.OK != 0 || r.To > time.Minute {
			t.Errorf("ended by %s at %v with %+v", r.EndedBy, r.To, r.Counts)
		}
	})
}

func TestStop(t *testing.T) {
	for name, p := range map[string]func(connections int) *plan.Phase{
		"closed": func(c int) *plan.Phase { return steps(1_000_000, c, get("uniform"), 10) },
		"open":   func(c int) *plan.Phase { return open(plan.Rate{From: 10, To: 10}, 10, c, time.Hour, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			eachRunner(t, func(t *testing.T, connections int) {
				b := newBench(t, map[string]any{"service": 10 * time.Millisecond})
				began := time.Now()
				r := b.run(p(connections), func(s *Step) {
					time.AfterFunc(2500*time.Millisecond, func() { s.Stop(EndInterrupt) })
				})[0].Result
				if r.EndedBy != EndInterrupt || r.Counts.OK == 0 || r.Counts.Missed != 0 {
					t.Errorf("ended by %s with %+v", r.EndedBy, r.Counts)
				}
				if took := time.Since(began); took > 2600*time.Millisecond {
					t.Errorf("it took %v to end", took)
				}
			})
		})
	}
}

func TestSecondsAreOfCompletion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, map[string]any{"service": 10 * time.Millisecond})
		r := b.run(steps(3000, math.MaxInt32, get("uniform"), 10), nil)[0].Result
		sec := r.Series[0].Seconds
		// Requests complete at 10, 20 … 3000 ms: 99 rounds in second 0, for the
		// one at 1000 ms is in second 1.
		if got, want := fmt.Sprint(sec.OK), "[990 1000 1000 10]"; got != want {
			t.Errorf("ok by second %s, want %s", got, want)
		}
	})
}

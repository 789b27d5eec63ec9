package load

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

func TestSamplesAreKeptForShortPhases(t *testing.T) {
	eachRunner(t, func(t *testing.T, connections int) {
		b := newBench(t, map[string]any{"service": time.Millisecond})
		outs := b.run(steps(100, connections, get("uniform"), 2, 5), nil)
		next := uint64(0)
		for step, out := range outs {
			for s := range out.Samples {
				if s.N != next || s.Step != step || s.Service() != time.Millisecond || s.Op != "get" || !s.OK {
					t.Fatalf("sample %d is %+v", next, s)
				}
				next++
			}
		}
		if next != 100 {
			t.Errorf("%d samples kept, want 100", next)
		}
	})
}

func TestSamplesAreKeptForLongPhasesThatAskForThem(t *testing.T) {
	const requests = 3 * result.MaxSamples
	p := steps(requests, math.MaxInt32, get("uniform"), 20)
	b := newBench(t, map[string]any{"keep": false})
	if out := b.run(p, nil)[0]; out.Samples != nil {
		t.Error("a long phase kept samples unasked")
	}
	p.Samples = true
	out := b.run(p, nil)[0]
	n, sum := uint64(0), uint64(0)
	for s := range out.Samples {
		if s.N != n {
			t.Fatalf("sample %d has the number %d", n, s.N)
		}
		n, sum = n+1, sum+uint64(s.Service())
	}
	if h := out.Result.Series[0].Service; n != requests || sum != h.Sum {
		t.Errorf("%d samples of %d ns together, the histogram has %d of %d ns", n, sum, h.N, h.Sum)
	}
}

func TestSamplesOfFailedAndWarmUpRequests(t *testing.T) {
	eachRunner(t, func(t *testing.T, connections int) {
		b := newBench(t, map[string]any{"service": time.Millisecond, "error_rate": 0.25})
		p := steps(400, connections, get("uniform"), 4)
		p.Warmup.Requests = 100
		out := b.run(p, nil)[0]
		failed := 0
		samples := slices.Collect(out.Samples)
		for _, s := range samples {
			if !s.OK {
				failed++
			}
			if s.OK != (s.Class == "") || !s.OK && s.Class != drivers.Refused.String() {
				t.Errorf("sample %+v", s)
			}
		}
		if len(samples) != 300 || samples[0].N != 100 || uint64(failed) != out.Result.Counts.Failed {
			t.Errorf("%d samples from %d on, %d failed; counts %+v", len(samples), samples[0].N, failed, out.Result.Counts)
		}
	})
}

func TestSamplesOfASchedule(t *testing.T) {
	eachRunner(t, func(t *testing.T, connections int) {
		b := newBench(t, map[string]any{"service": 10 * time.Millisecond})
		out := b.run(open(plan.Rate{From: 1000, To: 1000}, 5, connections, 0, 100), nil)[0]
		var last result.Sample
		for s := range out.Samples {
			if !s.Open || s.Due != time.Duration(s.N)*time.Millisecond || s.Response() < s.Service() {
				t.Fatalf("sample %+v", s)
			}
			last = s
		}
		// The fifth client begins at 4 ms and sends its twentieth 190 ms later.
		if last.N != 99 || last.End != 204*time.Millisecond || last.Latency() != 105*time.Millisecond {
			t.Errorf("the last is %+v", last)
		}
	})
}

func TestKeepingDoesNotAllocate(t *testing.T) {
	r := newRecorder(1, []string{"get"}, false)
	r.needs = []int{1}
	r.keep(2000)
	sh := r.shards[0]
	var op drivers.Op
	r.record(sh, 0, 0, 0, 1, &op, nil) // makes the histogram of the second
	n := uint64(1)
	if got := testing.AllocsPerRun(1000, func() {
		r.record(sh, n, 0, time.Duration(n), time.Duration(2*n), &op, nil)
		n++
	}); got != 0 {
		t.Errorf("%v allocations a request", got)
	}
	r.record(sh, 5000, 0, 0, 1, &op, nil) // beyond what was asked for: counted, not kept
	if list := r.takeKept(); len(list) != 2000 || list[1001].end != 2002 || list[1500].ending != notMeasured {
		t.Errorf("kept %d, number 1001 is %+v", len(list), list[1001])
	}
	r.record(sh, 7, 0, 0, 1, &op, nil) // after the end
}

package load

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/plan"
)

func TestRangesHoldTheRequestsOfTheirNumbers(t *testing.T) {
	var a, b ranges
	for n := range uint64(2500) {
		sh := &a
		if n%3 == 0 {
			sh = &b
		}
		sh.add(n, time.Duration(1000*(n/1000)+n%7))
	}
	a.merge(&b)
	got := a.result(500, 1)
	if got.First != 500 || got.Width != 1000 || !slices.Equal(got.OK, []uint32{1000, 1000, 500}) {
		t.Fatalf("ranges %+v", got)
	}
	if !slices.Equal(got.Min, []float64{0, 1000, 2000}) || !slices.Equal(got.Max, []float64{6, 1006, 2006}) || !slices.Equal(got.Mean, []float64{3, 1003, 2003}) {
		t.Errorf("latencies %+v", got)
	}
}

// TestRangesWiden records more requests than there are ranges for, in shards that
// have come to different widths, and holds the sum against what was recorded.
func TestRangesWiden(t *testing.T) {
	const numbers = 5 * maxRanges * rangeWidth
	random := rand.New(rand.NewPCG(1, 2))
	shards := make([]ranges, 3)
	type fact struct{ n, sum uint64 }
	var all fact
	for i := range 200_000 {
		n := random.Uint64N(numbers >> uint(2*(i%3))) // a shard that sees early numbers alone stays narrow
		took := time.Duration(n / rangeWidth)
		shards[i%3].add(n, took)
		all.n, all.sum = all.n+1, all.sum+uint64(took)
	}
	if shards[0].width == shards[2].width {
		t.Fatal("the shards have come to the same width: nothing is tested")
	}
	var sum ranges
	for i := range shards {
		sum.merge(&shards[len(shards)-1-i])
	}
	if len(sum.all) > maxRanges || sum.width != 8*rangeWidth {
		t.Fatalf("%d ranges of %d", len(sum.all), sum.width)
	}
	var seen fact
	for i, s := range sum.all {
		seen.n, seen.sum = seen.n+s.n, seen.sum+uint64(s.sum)
		if first := time.Duration(uint64(i) * 8); s.n > 0 && (s.min < first || s.max >= first+8) {
			t.Fatalf("range %d has latencies from %d to %d", i, s.min, s.max)
		}
	}
	if seen != all {
		t.Errorf("recorded %+v, found %+v", all, seen)
	}
}

func TestNothingOKGivesNoRanges(t *testing.T) {
	var r, none ranges
	if r.merge(&none); r.result(0, 1) != nil {
		t.Error("ranges without a request")
	}
}

// TestRangesOfAPhase follows the numbers over steps, a warm-up and failures.
func TestRangesOfAPhase(t *testing.T) {
	eachRunner(t, func(t *testing.T, connections int) {
		b := newBench(t, map[string]any{"service": time.Millisecond})
		p := steps(3000, connections, put(plan.OrderSequential), 1, 4)
		p.Warmup.Requests = 200
		outs := b.run(p, nil)
		for i, want := range [][]uint32{{800, 500}, {1000, 500}} {
			got := outs[i].Result.Series[0].Ranges
			if got == nil || got.First != uint64(1500*i) || got.Width != 1000 || !slices.Equal(got.OK, want) {
				t.Fatalf("step %d: %+v, want %v", i, got, want)
			}
			if got.Mean[0] != 1e6 || got.Min[1] != 1e6 || got.Max[1] != 1e6 {
				t.Errorf("step %d: latencies %+v", i, got)
			}
		}
	})
}

// TestRangesOfAScheduleHaveResponseTimes makes one client late by itself.
func TestRangesOfAScheduleHaveResponseTimes(t *testing.T) {
	eachRunner(t, func(t *testing.T, connections int) {
		b := newBench(t, map[string]any{"service": 2 * time.Millisecond})
		p := steps(100, connections, get("uniform"), 2)
		p.Steps[0].Rate = plan.Rate{From: 2000, To: 2000}
		out := b.run(p, nil)[0]
		series := out.Result.Series[0]
		if got := series.Ranges; got.OK[0] != 100 || got.Max[0] != float64(series.Response.Max) || got.Min[0] != float64(series.Response.Min) {
			t.Errorf("ranges %+v beside response times from %d to %d", got, series.Response.Min, series.Response.Max)
		}
	})
}

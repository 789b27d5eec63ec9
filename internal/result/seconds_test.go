package result

import (
	"math"
	"testing"
)

func TestSecondsAppend(t *testing.T) {
	var s Seconds
	values := upTo(1000)
	h := NewHDR()
	sum := uint64(0)
	for _, v := range values {
		if err := h.RecordValue(v); err != nil {
			t.Fatal(err)
		}
		sum += uint64(v)
	}
	s.Append(1000, 3, h, sum, 1, 1000)
	s.Append(0, 2, nil, 0, 0, 0)
	if s.OK[0] != 1000 || s.Failed[0] != 3 || s.Failed[1] != 2 {
		t.Errorf("ok %v, failed %v", s.OK, s.Failed)
	}
	for name, c := range map[string]struct {
		column Values
		want   float64
	}{
		"min": {s.Min, 1}, "mean": {s.Mean, 500.5}, "p50": {s.P50, 500}, "p90": {s.P90, 900}, "p99": {s.P99, 990},
		"p99.9": {s.P999, math.NaN()}, "max": {s.Max, 1000},
	} {
		if len(c.column) != 2 || !math.IsNaN(c.column[1]) {
			t.Errorf("%s of a second without requests: %v", name, c.column)
		}
		if got := c.column[0]; got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%s is %v, want %v", name, got, c.want)
		}
	}
	if len(s.Bins) != 2 || len(s.Bins[1]) != 0 {
		t.Fatalf("bins %v", s.Bins)
	}
	if last := s.Bins[0][len(s.Bins[0])-1]; last[0] != 39 { // 1000 is below 2^10
		t.Errorf("last bin %v", last)
	}
}

func TestBinsKeepEveryValue(t *testing.T) {
	for seed := range uint64(10) {
		values := draw(seed, 30_000)
		h := NewHDR()
		for _, v := range values {
			if err := h.RecordValue(v); err != nil {
				t.Fatal(err)
			}
		}
		got := bins(h.Export().Counts)
		if len(got) > maxBins {
			t.Errorf("%d bins", len(got))
		}
		total := 0
		for i, b := range got {
			total += int(b[1])
			if i > 0 && b[0] <= got[i-1][0] {
				t.Errorf("bin %d follows bin %d", b[0], got[i-1][0])
			}
		}
		if total != len(values) {
			t.Errorf("bins hold %d of %d values", total, len(values))
		}
	}
}

func TestLowestAtIsTheLibrarys(t *testing.T) {
	for _, v := range []int64{0, 1, 2047, 2048, 2049, 4095, 4096, 1e6, 123456789, 1e12, HistHighest} {
		h := NewHDR()
		if err := h.RecordValue(v); err != nil {
			t.Fatal(err)
		}
		for i, c := range h.Export().Counts {
			if c > 0 && lowestAt(i) != h.Min() {
				t.Errorf("%d is counted at index %d, from %d on; the library says %d", v, i, lowestAt(i), h.Min())
			}
		}
	}
}

func BenchmarkSecondsAppend(b *testing.B) {
	h := busySecond(b)
	for b.Loop() {
		var s Seconds
		s.Append(40_000, 0, h, 1, 2, 3)
	}
}

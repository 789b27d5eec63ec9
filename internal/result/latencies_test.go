package result

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// histOf makes a histogram of values in nanoseconds.
func histOf(t testing.TB, values []int64) *Hist {
	t.Helper()
	h := &Hist{N: uint64(len(values))}
	hdr := NewHDR()
	for _, v := range values {
		if err := hdr.RecordValue(v); err != nil {
			t.Fatal(err)
		}
		h.Sum += uint64(v)
	}
	if len(values) > 0 {
		h.Min, h.Max = slices.Min(values), slices.Max(values)
	}
	if err := h.Encode(hdr); err != nil {
		t.Fatal(err)
	}
	return h
}

// upTo is 1, 2, ... n.
func upTo(n int) []int64 {
	values := make([]int64, n)
	for i := range values {
		values[i] = int64(i + 1)
	}
	return values
}

func draw(seed uint64, n int) []int64 {
	rng := rand.New(rand.NewPCG(seed, 7))
	values := make([]int64, n)
	for i := range values {
		values[i] = rng.Int64N(1 << rng.IntN(41))
	}
	return values
}

func TestPercentileNeedsTenSamplesBeyond(t *testing.T) {
	for _, c := range []struct {
		n    int
		p    float64
		want Number
	}{
		{0, 50, NA("no samples")},
		{1, 50, NA("1 sample")},
		{19, 50, NA("19 samples")},
		{20, 50, Known(10)},
		{11, 10, NA("11 samples")},
		{12, 10, Known(2)},
		{999, 99, NA("999 samples")},
		{1000, 99, Known(990)},
		{1001, 99, Known(991)},
		{9999, 99.9, NA("9999 samples")},
		{10_000, 99.9, Known(9990)},
		{99_999, 99.99, NA("99999 samples")},
		{100_000, 99.99, Known(99_990)},
	} {
		got := histOf(t, upTo(c.n)).Percentile(c.p)
		if got.Reason != c.want.Reason || got.V < c.want.V || got.V > c.want.V*1.001 {
			t.Errorf("p%v of 1..%d is %+v, want %+v", c.p, c.n, got, c.want)
		}
	}
}

// A percentile is the smallest value that p percent do not exceed: counted out
// over sorted samples.
func TestPercentileAgainstSortedSamples(t *testing.T) {
	for seed := range uint64(20) {
		values := draw(seed, 2000+int(seed)*37)
		h := histOf(t, values)
		slices.Sort(values)
		for _, p := range []float64{10, 25, 50, 75, 90, 95, 99} {
			rank := (len(values)*int(p) + 99) / 100
			want, got := float64(values[rank-1]), h.Percentile(p)
			if !got.OK() || got.V < want || got.V > want*1.001+1 {
				t.Errorf("seed %d: p%v is %+v, want %v", seed, p, got, want)
			}
		}
	}
}

func TestMergeOfShardsIsTheWhole(t *testing.T) {
	for seed := range uint64(10) {
		values := draw(seed, 5000)
		whole := histOf(t, values)
		var merged Hist
		var opened Latencies
		rng := rand.New(rand.NewPCG(seed, 9))
		for rest := values; len(rest) > 0; {
			n := min(rng.IntN(2000), len(rest))
			shard := histOf(t, rest[:n])
			rest = rest[n:]
			if err := merged.Merge(shard); err != nil {
				t.Fatal(err)
			}
			if err := opened.Add(shard); err != nil {
				t.Fatal(err)
			}
		}
		if merged != *whole {
			t.Errorf("seed %d: merged %+v, whole %+v", seed, merged, *whole)
		}
		want := whole.open()
		if opened.N != want.N || opened.Sum != want.Sum || opened.Min != want.Min || opened.Max != want.Max || !opened.hdr.Equals(want.hdr) {
			t.Errorf("seed %d: opened shards differ from the whole", seed)
		}
	}
}

func TestDamagedHistograms(t *testing.T) {
	other := hdrhistogram.New(1, 1000, 2)
	if err := other.RecordValue(5); err != nil {
		t.Fatal(err)
	}
	foreign := &Hist{N: 1}
	if err := foreign.Encode(other); err != nil {
		t.Fatal(err)
	}
	miscounted := histOf(t, upTo(50))
	miscounted.N = 51
	lost := &Hist{N: 3}
	for want, h := range map[string]*Hist{
		"counts 1 to 1000 ns":               foreign,
		"a histogram of 51 values holds 50": miscounted,
		"a histogram of 3 values holds 0":   lost,
		"illegal base64":                    {N: 1, Data: "*"},
		"too short":                         {N: 1, Data: "AAAA"},
	} {
		var l Latencies
		if err := l.Add(h); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
		if got := h.Percentile(50); got.OK() {
			t.Errorf("p50 of a damaged histogram is %v", got.V)
		}
	}
}

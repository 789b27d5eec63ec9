package dist

import (
	"bytes"
	"compress/flate"
	"fmt"
	"math"
	"testing"
)

func TestStreamIsAFunctionOfItsArguments(t *testing.T) {
	a, b := NewStream(1, "write", "keys"), NewStream(1, "write", "keys")
	if a != b || a.At(7) != b.At(7) {
		t.Fatal("the same arguments gave different words")
	}
	others := []Stream{NewStream(2, "write", "keys"), NewStream(1, "writek", "eys"), NewStream(1, "write")}
	for i, o := range others {
		if o == a {
			t.Errorf("stream %d is that of other arguments", i)
		}
	}
}

// within fails where got is further from want than tolerance, as a share of want.
func within(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance*want {
		t.Errorf("%s = %.5g, want %.5g within %.1f %%", what, got, want, 100*tolerance)
	}
}

func TestZipfProbabilities(t *testing.T) {
	const draws, n = 400_000, 1000
	for _, theta := range []float64{0.5, 0.99, 1, 1.3} {
		t.Run(fmt.Sprint(theta), func(t *testing.T) {
			z, s := NewZipf(theta), NewStream(3, "zipf")
			var counts [n]int
			for i := range uint64(draws) {
				counts[z.Rank(s, i, n)]++
			}
			sum := 0.0
			for k := range n {
				sum += math.Pow(float64(k+1), -theta)
			}
			for _, k := range []int{0, 1, 2, 9} {
				p := math.Pow(float64(k+1), -theta) / sum
				within(t, fmt.Sprintf("share of rank %d", k), float64(counts[k])/draws, p, 5/math.Sqrt(p*draws))
			}
		})
	}
}

func TestZipfOfOneKey(t *testing.T) {
	z := NewZipf(0.99)
	for i := range uint64(100) {
		if r := z.Rank(NewStream(1), i, 1); r != 0 {
			t.Fatalf("draw %d of one key is rank %d", i, r)
		}
	}
}

func TestPermutationIsABijection(t *testing.T) {
	for _, n := range []uint64{1, 2, 3, 4, 5, 100, 4096, 4097, 10_007} {
		p := NewPermutation(NewStream(n, "p"), n)
		seen := make([]bool, n)
		for i := range n {
			v := p.At(i)
			if v >= n || seen[v] {
				t.Fatalf("n=%d: %d goes to %d, again or out of range", n, i, v)
			}
			seen[v] = true
		}
	}
}

func TestInterleave(t *testing.T) {
	m, err := NewInterleave(NewStream(1, "mix"), []float64{95, 5})
	if err != nil {
		t.Fatal(err)
	}
	const n = 2*block + 1234
	next := make([]uint64, 2)
	for i := range uint64(n) {
		op, rank := m.At(i)
		if rank != next[op] {
			t.Fatalf("request %d is number %d of op %d, want %d", i, rank, op, next[op])
		}
		next[op]++
	}
	for op, want := range next {
		if got := m.Ranks(op, n); got != want {
			t.Errorf("Ranks(%d, %d) = %d, want %d", op, n, got, want)
		}
	}
	if got, want := m.Ranks(1, block), uint64(819); got != want { // 0.05 * 16384 = 819.2
		t.Errorf("a block has %d requests of the op with 5 %%, want %d", got, want)
	}
}

func TestInterleaveWeights(t *testing.T) {
	tests := []struct {
		weights []float64
		shares  []uint64
	}{
		{[]float64{1}, []uint64{block}},
		{[]float64{1, 1}, []uint64{8192, 8192}},
		{[]float64{1, 1, 1}, []uint64{5462, 5461, 5461}},
		{[]float64{1e9, 1}, []uint64{16383, 1}},
		{[]float64{1, 0}, []uint64{block, 0}},
		{[]float64{0, 0}, nil},
		{[]float64{-1, 2}, nil},
		{[]float64{math.NaN(), 2}, nil},
		{nil, nil},
	}
	for _, tt := range tests {
		m, err := NewInterleave(1, tt.weights)
		if err != nil {
			if tt.shares != nil {
				t.Errorf("weights %v: %v", tt.weights, err)
			}
			continue
		}
		if fmt.Sprint(m.shares) != fmt.Sprint(tt.shares) {
			t.Errorf("weights %v give %v, want %v", tt.weights, m.shares, tt.shares)
		}
	}
}

func TestSizes(t *testing.T) {
	const draws = 100_000
	tests := []struct {
		name     string
		sizes    Sizes
		mean     float64
		min, max int
	}{
		{"fixed", Fixed(1024), 1024, 1024, 1024},
		{"uniform", Between{100, 300}, 200, 100, 300},
		{"uniform of one", Between{5, 5}, 5, 5, 5},
		{"normal", Normal{1000, 100}, 1000, 500, 2000},
		{"histogram", NewHistogram([]int{100, 1000}, []float64{3, 1}), 325, 100, 1000},
		{"histogram with a weight of 0", NewHistogram([]int{1, 2, 3}, []float64{0, 1, 0}), 2, 2, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, sum := NewStream(9, tt.name), 0.0
			for i := range uint64(draws) {
				v := tt.sizes.At(s, i)
				if v < tt.min || v > tt.max || v > tt.sizes.Max() {
					t.Fatalf("draw %d is %d, out of %d … %d", i, v, tt.min, tt.max)
				}
				sum += float64(v)
			}
			within(t, "mean", sum/draws, tt.mean, 0.01)
		})
	}
}

func TestFill(t *testing.T) {
	tests := []struct {
		compressible, low, high float64 // share of the length that flate leaves
	}{
		{0, 0.99, 1.02}, {0.5, 0.45, 0.60}, {1, 0, 0.02},
	}
	for _, tt := range tests {
		const values, size = 64, 1024
		var all, b []byte
		for n := range uint64(values) {
			b = make([]byte, size)
			Fill(b, NewStream(1, "values"), n, tt.compressible)
			all = append(all, b...)
		}
		var out bytes.Buffer
		w, _ := flate.NewWriter(&out, flate.BestCompression)
		if _, err := w.Write(all); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if share := float64(out.Len()) / float64(len(all)); share < tt.low || share > tt.high {
			t.Errorf("compressible %v: flate leaves %.3f, want %v to %v", tt.compressible, share, tt.low, tt.high)
		}
	}
}

func TestFillWholeLength(t *testing.T) {
	for size := range 40 {
		a, b := make([]byte, size), make([]byte, size)
		Fill(a, 1, 5, 0)
		Fill(b, 1, 6, 0)
		if size > 3 && bytes.Equal(a, b) {
			t.Errorf("values 5 and 6 of %d bytes are the same", size)
		}
		if size > 8 && bytes.HasSuffix(a, make([]byte, 8)) {
			t.Errorf("a value of %d bytes ends in zeros", size)
		}
	}
}

func TestOrders(t *testing.T) {
	const count, draws = 1000, 200_000
	s := NewStream(4, "order")
	share := func(o Order, hit func(uint64) bool) float64 {
		hits := 0
		for n := range uint64(draws) {
			i := o.Index(n, n, count)
			if i >= count {
				t.Fatalf("%T gave key %d of %d", o, i, count)
			}
			if hit(i) {
				hits++
			}
		}
		return float64(hits) / draws
	}
	below := func(limit uint64) func(uint64) bool { return func(i uint64) bool { return i < limit } }
	within(t, "uniform, lower half", share(&Uniform{s}, below(count/2)), 0.5, 0.02)
	within(t, "hotspot, hot keys", share(&Hotspot{s, 0.2, 0.8}, below(count/5)), 0.8, 0.02)
	within(t, "sequential, first tenth", share(&Sequential{17}, below(count/10)), 0.1, 0.001)
	within(t, "one", share(One{}, below(1)), 1, 0)
	hottest := share(NewZipfian(s, 0.99, false), below(1))
	within(t, "latest, last key", share(NewLatest(s, 0.99), func(i uint64) bool { return i == count-1 }), hottest, 0.02)
	p := NewPermutation(scatterKey, count)
	at := p.At(0)
	within(t, "zipfian, hottest key where it was scattered to",
		share(NewZipfian(s, 0.99, true), func(i uint64) bool { return i == at }), hottest, 0.02)
}

func TestKeys(t *testing.T) {
	tests := []struct {
		head, prefix, encoding string
		size                   int
		count, i               uint64
		want                   string
	}{
		{"", "", Decimal, 8, 100_000_000, 99_999_999, "99999999"},
		{"", "", Decimal, 8, 1000, 7, "00000007"},
		{"", "k", Decimal, 8, 1000, 999, "k0000999"},
		{"dir/", "k", Decimal, 4, 1000, 12, "dir/k012"},
		{"", "", Hex, 6, 1 << 24, 0xabcdef, "abcdef"},
		{"", "", Decimal, 1, 1, 0, "0"},
	}
	for _, tt := range tests {
		k, err := NewKeys(tt.head, tt.prefix, tt.size, tt.encoding, tt.count, 1)
		if err != nil {
			t.Errorf("%+v: %v", tt, err)
			continue
		}
		k.At(tt.count - 1) // what an earlier key left must not show
		if got := string(k.At(tt.i)); got != tt.want {
			t.Errorf("%+v: key %q", tt, got)
		}
	}
	if _, err := NewKeys("", "key", 5, Decimal, 1000, 1); err == nil {
		t.Error("1000 keys fitted in two digits")
	}
	if _, err := NewKeys("", "", 5, "octal", 8, 1); err == nil {
		t.Error("octal was taken")
	}
}

func TestRandomKeysDiffer(t *testing.T) {
	k, err := NewKeys("", "n", 30, Random, 10_000, 1)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i := range uint64(10_000) {
		key := string(k.At(i))
		if len(key) != 30 || seen[key] {
			t.Fatalf("key %d is %q: again, or not 30 bytes", i, key)
		}
		seen[key] = true
	}
}

func BenchmarkFill1KiB(b *testing.B) {
	v := make([]byte, 1024)
	b.SetBytes(1024)
	for n := uint64(0); b.Loop(); n++ {
		Fill(v, 1, n, 0)
	}
}

func BenchmarkZipfian(b *testing.B) {
	o := NewZipfian(1, 0.99, true)
	for n := uint64(0); b.Loop(); n++ {
		o.Index(n, n, 1_000_000)
	}
}

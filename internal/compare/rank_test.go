package compare

import (
	"math"
	"slices"
	"testing"
)

// The critical values are those of the published tables of the test.
func TestCriticalValuesAreThoseOfTheTables(t *testing.T) {
	for _, c := range []struct {
		n, m  int
		level float64
		want  int
	}{
		{3, 3, 0.05, -1}, {4, 3, 0.05, -1}, {4, 4, 0.05, 0}, {5, 3, 0.05, 0}, {5, 5, 0.05, 2}, {7, 8, 0.05, 10},
		{10, 10, 0.05, 23}, {20, 20, 0.05, 127}, {5, 5, 0.01, 0}, {10, 10, 0.01, 16}, {20, 20, 0.01, 105},
	} {
		if got := critical(c.n, c.m, c.level); got != c.want {
			t.Errorf("critical(%d, %d, %g) = %d, want %d", c.n, c.m, c.level, got, c.want)
		}
		if got := critical(c.m, c.n, c.level); got != c.want {
			t.Errorf("critical(%d, %d, %g) = %d, want %d", c.m, c.n, c.level, got, c.want)
		}
	}
}

func TestNormalCriticalValueMeetsTheCountedOne(t *testing.T) {
	const n = 50 // the last that is counted out
	z := critical(n+1, n, 0.05)
	exact := critical(n, n, 0.05)
	if z < exact || z > exact+n {
		t.Errorf("critical values of %d and %d, and %d and %d: %d and %d", n, n, n+1, n, exact, z)
	}
}

func TestDistributionAddsUp(t *testing.T) {
	for n := 1; n <= 12; n++ {
		for m := 1; m <= 12; m++ {
			var sum, mean float64
			for u, p := range distribution(n, m) {
				sum, mean = sum+p, mean+float64(u)*p
			}
			if math.Abs(sum-1) > 1e-9 || math.Abs(mean-float64(n*m)/2) > 1e-9 {
				t.Errorf("%d and %d: the shares add up to %g, their mean is %g", n, m, sum, mean)
			}
		}
	}
}

func TestShift(t *testing.T) {
	a := []float64{1, 2, 3, 4, 5}
	b := []float64{11, 12, 13, 14, 15}
	d := pairwise(a, b)
	value, low, high := shift(d, 5, 5, 0.05)
	// With k = 2 the third smallest and the third largest of 25 differences.
	if value != 10 || low != 7 || high != 13 {
		t.Errorf("shift = %g (%g to %g), want 10 (7 to 13)", value, low, high)
	}
	if got := cliff(d); got != 1 {
		t.Errorf("cliff = %g, want 1", got)
	}
	if got := cliff(pairwise(a, a)); got != 0 {
		t.Errorf("cliff of the same = %g, want 0", got)
	}
	if _, low, high = shift(pairwise(a[:3], b[:3]), 3, 3, 0.05); !math.IsInf(low, -1) || !math.IsInf(high, 1) {
		t.Errorf("the interval of three and three runs is %g to %g, want none", low, high)
	}
}

// The p-value comes from a library, the interval is ours: they must agree on
// what is significant, or a verdict could never be given.
func TestPAndIntervalAgree(t *testing.T) {
	for offset := 0.0; offset < 12; offset += 0.7 {
		a := []float64{1, 2.1, 3.3, 4.2, 5.4, 6.1, 7.3, 8.2}
		b := make([]float64, len(a))
		for i := range b {
			b[i] = a[i]*1.01 + offset
		}
		_, low, _ := shift(pairwise(a, b), len(a), len(b), 0.05)
		if p := pValue(a, b); (p <= 0.05) != (low > 0) {
			t.Errorf("offset %g: p = %g, and the interval begins at %g", offset, p, low)
		}
	}
}

func TestPValueOfEqualSamples(t *testing.T) {
	same := []float64{3, 3, 3, 3}
	if p := pValue(same, same); p != 1 {
		t.Errorf("p of equal constants = %g, want 1", p)
	}
	if p := pValue(same, []float64{4, 4, 4, 4}); p > 0.05 {
		t.Errorf("p of different constants = %g, want below 0.05", p)
	}
}

// The example of Benjamini and Hochberg (1995), section 4.1: fifteen tests, of
// which four are below the level.
func TestAdjust(t *testing.T) {
	p := []float64{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1}
	lines := make([]*Line, len(p))
	for i := range p {
		lines[i] = &Line{P: p[i]}
	}
	backwards := slices.Clone(lines)
	slices.Reverse(backwards)
	adjust(backwards)
	rejected := 0
	for i, l := range lines {
		if l.Adjusted < 0.05 {
			rejected++
		}
		if l.Adjusted < l.P || l.Adjusted > 1 || i > 0 && l.Adjusted < lines[i-1].Adjusted {
			t.Errorf("p %g is adjusted to %g", l.P, l.Adjusted)
		}
	}
	if rejected != 4 {
		t.Errorf("%d are below the level, want 4", rejected)
	}
	if got, want := lines[0].Adjusted, 0.0015; math.Abs(got-want) > 1e-12 {
		t.Errorf("the first is adjusted to %g, want %g", got, want)
	}
}

func TestPercentileOfPooledRuns(t *testing.T) {
	one := &bins{values: []int64{10, 20}, counts: []float64{90, 10}, n: 100}
	two := &bins{values: []int64{20, 30}, counts: []float64{50, 50}, n: 100}
	p := newPool([]*bins{one, two})
	for _, c := range []struct {
		percent float64
		weights []float64
		want    float64
	}{
		{90, []float64{1, 0}, 10}, {91, []float64{1, 0}, 20}, {50, []float64{0, 1}, 20}, {45, []float64{1, 1}, 10},
		{75, []float64{1, 1}, 20}, {76, []float64{1, 1}, 30}, {100, []float64{1, 1}, 30},
	} {
		got := make([]float64, 1)
		if p.percentiles([]float64{c.percent}, c.weights, got); got[0] != c.want {
			t.Errorf("p%g of %v = %g, want %g", c.percent, c.weights, got[0], c.want)
		}
	}
}

package compare

import (
	"math"
	"slices"
)

// pairwise gives all differences b - a, sorted. There are len(a) * len(b).
func pairwise(a, b []float64) []float64 {
	d := make([]float64, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			d = append(d, y-x)
		}
	}
	slices.Sort(d)
	return d
}

// cliff is Cliff's delta of sorted differences: the share above zero less the
// share below.
func cliff(differences []float64) float64 {
	if len(differences) == 0 {
		return 0
	}
	n := 0
	for _, d := range differences {
		switch {
		case d > 0:
			n++
		case d < 0:
			n--
		}
	}
	return float64(n) / float64(len(differences))
}

// shift is the Hodges-Lehmann estimate of the difference of two samples of n and
// m values, from their sorted differences, and its interval: all shifts that the
// Mann-Whitney test at this level would not reject. Where the samples are too
// small for any to be rejected the interval has no ends.
func shift(differences []float64, n, m int, level float64) (value, low, high float64) {
	value = median(differences)
	k := critical(n, m, level)
	if k < 0 {
		return value, math.Inf(-1), math.Inf(1)
	}
	return value, differences[k], differences[len(differences)-1-k]
}

// critical is the largest k with P(U <= k) <= level/2 for samples of n and m
// values without ties, or -1 where there is none.
func critical(n, m int, level float64) int {
	if n*m > exactPairs {
		// U is normal by then, with mean nm/2 and variance nm(n+m+1)/12.
		z := math.Sqrt2 * math.Erfinv(1-level)
		mean, sd := float64(n*m)/2, math.Sqrt(float64(n*m*(n+m+1))/12)
		return max(int(math.Floor(mean-z*sd-0.5)), -1)
	}
	k, below := -1, 0.0
	for _, p := range distribution(n, m) {
		if below += p; below > level/2 {
			break
		}
		k++
	}
	return k
}

// exactPairs is the product of sample sizes up to which U is counted out.
const exactPairs = 2500

// smallest is the least p that the two-sided test can give.
func smallest(n, m int) float64 {
	if n == 0 || m == 0 {
		return 1
	}
	if n*m > exactPairs {
		return 0
	}
	return min(1, 2*distribution(n, m)[0])
}

// distribution gives P(U = u) for u from 0 to n*m: the share of the arrangements
// of n and m values in which u pairs are the wrong way round. Adding the largest
// of all values to either side gives the recurrence
// P(n, m, u) = n/(n+m) P(n-1, m, u-m) + m/(n+m) P(n, m-1, u).
func distribution(n, m int) []float64 {
	row := make([][]float64, n+1) // row[i] is the distribution for i and j
	for i := range row {
		row[i] = []float64{1}
	}
	for j := 1; j <= m; j++ {
		for i := 1; i <= n; i++ {
			p := make([]float64, i*j+1)
			first, second := float64(i)/float64(i+j), float64(j)/float64(i+j)
			for u, q := range row[i-1] {
				p[u+j] += first * q
			}
			for u, q := range row[i] {
				p[u] += second * q
			}
			row[i] = p
		}
	}
	return row[n]
}

// median of sorted values; of an even number, the mean of the two in the middle.
func median(sorted []float64) float64 {
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

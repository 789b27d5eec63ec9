package compare

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/kvscen/kvscen/internal/result"
)

const (
	resamples = 1000
	// A comparison of the same folders gives the same figures each time.
	bootstrapSeed = 0x6b767363656e
)

// bins is a histogram of latencies as sorted values and their counts.
type bins struct {
	values []int64
	counts []float64
	n      float64
}

func binsOf(l *result.Latencies) *bins {
	b := &bins{}
	l.Each(func(value int64, count uint64) {
		b.values = append(b.values, value)
		b.counts = append(b.counts, float64(count))
		b.n += float64(count)
	})
	return b
}

// pool holds the histograms of a side's runs over one axis, so that a resample
// is a weighted sum of columns.
type pool struct {
	axis   []int64
	counts [][]float64 // [run][index in axis]
	total  []float64   // of each run
	merged []float64   // scratch
}

func newPool(runs []*bins) *pool {
	p := &pool{}
	for _, b := range runs {
		p.axis = append(p.axis, b.values...)
	}
	slices.Sort(p.axis)
	p.axis = slices.Compact(p.axis)
	for _, b := range runs {
		column := make([]float64, len(p.axis))
		for i, v := range b.values {
			at, _ := slices.BinarySearch(p.axis, v)
			column[at] += b.counts[i]
		}
		p.counts = append(p.counts, column)
		p.total = append(p.total, b.n)
	}
	p.merged = make([]float64, len(p.axis))
	return p
}

// percentiles of the runs put together, each as often as weights says; percents
// rise.
func (p *pool) percentiles(percents, weights, out []float64) {
	clear(p.merged)
	var n float64
	for run, w := range weights {
		if w == 0 {
			continue
		}
		for i, c := range p.counts[run] {
			p.merged[i] += w * c
		}
		n += w * p.total[run]
	}
	at, seen := 0, 0.0
	for i, c := range p.merged {
		seen += c
		for c > 0 && at < len(percents) && seen >= math.Ceil(n*percents[at]/100) {
			out[at] = float64(p.axis[i])
			at++
		}
	}
}

// draw chooses as many runs as there are, with replacement.
func draw(rng *rand.Rand, weights []float64) {
	clear(weights)
	for range weights {
		weights[rng.IntN(len(weights))]++
	}
}

// spread is a percentile of two sets of runs, each merged, and the interval of
// the difference.
type spread struct{ from, to, low, high float64 }

// spreads compares percentiles, which rise, between two sets of runs. Intervals
// at 1 - level are those of a bootstrap over the runs: whole runs are drawn, so
// that what hangs together within one stays together.
func spreads(a, b []*bins, percents []float64, level float64) []spread {
	pa, pb := newPool(a), newPool(b)
	wa, wb := ones(len(a)), ones(len(b))
	from, to := make([]float64, len(percents)), make([]float64, len(percents))
	pa.percentiles(percents, wa, from)
	pb.percentiles(percents, wb, to)
	list := make([]spread, len(percents))
	seen := make([][]float64, len(percents))
	for i := range list {
		list[i] = spread{from: from[i], to: to[i]}
		seen[i] = make([]float64, resamples)
	}
	rng := rand.New(rand.NewPCG(bootstrapSeed, 1))
	for r := range resamples {
		draw(rng, wa)
		draw(rng, wb)
		pa.percentiles(percents, wa, from)
		pb.percentiles(percents, wb, to)
		for i := range list {
			seen[i][r] = to[i] - from[i]
		}
	}
	tail := int(level / 2 * resamples)
	for i := range list {
		slices.Sort(seen[i])
		// Among as many runs as there are the difference may have been none while that
		// of the merged ones is some: both ends take the estimate in.
		d := list[i].to - list[i].from
		list[i].low, list[i].high = min(seen[i][tail], d), max(seen[i][resamples-1-tail], d)
	}
	return list
}

func ones(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	return w
}

package dist

// Order gives the key of a draw. n is the number of the request, rank its number
// among the requests of its operation, count the number of keys that there are.
// count is at least 1 and may differ from draw to draw.
type Order interface {
	Index(n, rank, count uint64) uint64
}

// Sequential goes through the keys one after the other, from Base on, and from
// the start again after the last.
type Sequential struct{ Base uint64 }

// Index follows the rank.
func (o *Sequential) Index(_, rank, count uint64) uint64 { return (o.Base + rank) % count }

// Uniform takes each key with the same probability.
type Uniform struct{ Stream Stream }

// Index is draw n.
func (o *Uniform) Index(n, _, count uint64) uint64 { return Below(o.Stream.At(n), count) }

// Zipfian takes key i with a probability proportional to 1/(i+1)^theta; the keys
// are Scattered, so that the hot ones do not lie side by side, or are not.
type Zipfian struct {
	stream    Stream
	zipf      Zipf
	scattered bool
	last      Permutation // of the last count seen
}

// NewZipfian makes the order. It is not safe for concurrent use.
func NewZipfian(s Stream, theta float64, scattered bool) *Zipfian {
	return &Zipfian{stream: s, zipf: NewZipf(theta), scattered: scattered}
}

// Index is draw n.
func (o *Zipfian) Index(n, _, count uint64) uint64 {
	rank := o.zipf.Rank(o.stream, n, count)
	if !o.scattered {
		return rank
	}
	if o.last.n != count {
		// The network depends on the width of count alone: while the keys
		// grow towards the next power of four, hot keys stay hot.
		o.last = NewPermutation(scatterKey, count)
	}
	return o.last.At(rank)
}

// scatterKey is the same for all phases and seeds: the hot keys of one phase are
// those of the next.
const scatterKey = Stream(0x6b7673_6b657973)

// Latest takes the key that was inserted last most often.
type Latest struct {
	stream Stream
	zipf   Zipf
}

// NewLatest makes the order; theta is as for Zipfian.
func NewLatest(s Stream, theta float64) *Latest { return &Latest{stream: s, zipf: NewZipf(theta)} }

// Index is draw n.
func (o *Latest) Index(n, _, count uint64) uint64 {
	return count - 1 - o.zipf.Rank(o.stream, n, count)
}

// Hotspot sends the share Ops of the requests to the first share Keys of the
// keys, and the rest to the others, uniformly within each part.
type Hotspot struct {
	Stream    Stream
	Keys, Ops float64
}

// Index is draw n.
func (o *Hotspot) Index(n, _, count uint64) uint64 {
	hot := min(max(uint64(o.Keys*float64(count)+0.5), 1), count)
	sub := o.Stream.Sub(n)
	if hot == count || Unit(sub.At(0)) < o.Ops {
		return Below(sub.At(1), hot)
	}
	return hot + Below(sub.At(1), count-hot)
}

// One takes the first key always.
type One struct{}

// Index is 0.
func (One) Index(_, _, _ uint64) uint64 { return 0 }

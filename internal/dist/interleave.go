package dist

import (
	"fmt"
	"math"
	"sort"
)

// blockBits is the logarithm of a block's length: weights are kept to 1/16384.
const (
	blockBits = 14
	block     = 1 << blockBits
)

// Interleave deals requests out to the operations of a mix. In each block of
// 16,384 requests every operation comes in exactly its share, in a shuffled
// order that is the same in each block; so the number of requests of the same
// operation before any request is known at once, which a draw for each request
// could not give and which keys in sequence need.
type Interleave struct {
	shares []uint64 // of each operation, in a block
	deals  []deal   // empty: there is one operation
}

// deal is one place of a block.
type deal struct {
	op   uint32
	rank uint32 // requests of the same operation before it in the block
}

// NewInterleave makes the order for weights that add up to more than nothing.
func NewInterleave(key Stream, weights []float64) (*Interleave, error) {
	shares, err := apportion(weights, block)
	if err != nil {
		return nil, err
	}
	m := &Interleave{shares: shares}
	if len(shares) == 1 {
		return m, nil
	}
	for op, share := range shares {
		for range share {
			m.deals = append(m.deals, deal{op: uint32(op)})
		}
	}
	for i := uint64(block - 1); i > 0; i-- { // Fisher and Yates
		j := Below(key.At(i), i+1)
		m.deals[i], m.deals[j] = m.deals[j], m.deals[i]
	}
	next := make([]uint32, len(shares))
	for i := range m.deals {
		d := &m.deals[i]
		d.rank = next[d.op]
		next[d.op]++
	}
	return m, nil
}

// At gives the operation of request n, and how many requests of that operation
// come before it: its rank.
func (m *Interleave) At(n uint64) (op int, rank uint64) {
	if len(m.deals) == 0 {
		return 0, n
	}
	d := m.deals[n&(block-1)]
	return int(d.op), n>>blockBits*m.shares[d.op] + uint64(d.rank)
}

// Ranks is how many of the requests 0 … n-1 are of the given operation.
func (m *Interleave) Ranks(op int, n uint64) uint64 {
	if len(m.deals) == 0 {
		return n
	}
	ranks := n >> blockBits * m.shares[op]
	for _, d := range m.deals[:n&(block-1)] {
		if int(d.op) == op {
			ranks++
		}
	}
	return ranks
}

// apportion shares total out by the method of the largest remainder. A weight
// above nothing gets at least one.
func apportion(weights []float64, total uint64) ([]uint64, error) {
	sum := 0.0
	for _, w := range weights {
		if w < 0 || math.IsNaN(w) || math.IsInf(w, 0) {
			return nil, fmt.Errorf("a weight of %v", w)
		}
		sum += w
	}
	if sum <= 0 {
		return nil, fmt.Errorf("the weights add up to %v", sum)
	}
	counts := make([]uint64, len(weights))
	order := make([]int, len(weights))
	left := int64(total)
	rest := make([]float64, len(weights))
	for i, w := range weights {
		exact := w / sum * float64(total)
		counts[i] = uint64(exact)
		if w > 0 && counts[i] == 0 {
			counts[i] = 1
		}
		rest[i] = exact - float64(counts[i])
		left -= int64(counts[i])
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return rest[order[a]] > rest[order[b]] })
	for i := 0; left > 0; i, left = i+1, left-1 {
		counts[order[i%len(order)]]++
	}
	for left < 0 {
		// Weights that were raised to one take from those with the most to give.
		k := largest(counts)
		counts[k]--
		left++
	}
	return counts, nil
}

func largest(counts []uint64) int {
	k := 0
	for i, c := range counts {
		if c > counts[k] {
			k = i
		}
	}
	return k
}

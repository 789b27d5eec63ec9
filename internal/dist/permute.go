package dist

import "math/bits"

// Permutation is a bijection of 0 … n-1 to itself that looks random: a balanced
// Feistel network over the smallest even number of bits that hold n-1, walked on
// until the value falls below n (fewer than 4 steps on average). It scatters hot
// keys without the collisions of hashing modulo n.
type Permutation struct {
	key  Stream
	half uint   // bits of one half
	mask uint64 // of one half
	n    uint64
}

// NewPermutation makes the permutation of n values that key selects.
func NewPermutation(key Stream, n uint64) Permutation {
	width := uint(bits.Len64(max(n, 2) - 1))
	half := (width + 1) / 2
	return Permutation{key: key, half: half, mask: 1<<half - 1, n: n}
}

// At is the value that i, below n, goes to.
func (p *Permutation) At(i uint64) uint64 {
	if p.n <= 1 {
		return 0
	}
	for {
		// A bijection of a finite set comes back to i, which is below n, so
		// this ends.
		i = p.network(i)
		if i < p.n {
			return i
		}
	}
}

const feistelRounds = 4

func (p *Permutation) network(x uint64) uint64 {
	left, right := x>>p.half, x&p.mask
	for round := range uint64(feistelRounds) {
		left, right = right, left^(p.key.At(right<<2|round)&p.mask)
	}
	return left<<p.half | right
}

// Package dist draws keys, sizes and values. It is pure and counter-based: draw
// n of a stream is a function of the stream's key and n alone, so that the same
// plan makes the same requests, whatever the number of clients and whichever of
// them comes first.
package dist

import "math/bits"

// Stream is a sequence of independent, uniformly distributed 64-bit words that
// can be read at any place.
type Stream uint64

// NewStream derives a stream from a seed and the names of what it is for.
func NewStream(seed uint64, names ...string) Stream {
	h := mix(seed + golden)
	for _, name := range names {
		for i := range len(name) {
			h = mix(h ^ uint64(name[i]))
		}
		h = mix(h + golden) // a separator: ("ab", "c") and ("a", "bc") differ
	}
	return Stream(h)
}

// At is word n of the stream.
func (s Stream) At(n uint64) uint64 { return mix(uint64(s) + n*golden) }

// Sub is a stream of its own for draw n, for draws that need several words.
func (s Stream) Sub(n uint64) Stream { return Stream(mix(s.At(n) ^ uint64(s))) }

// golden is 2^64 divided by the golden ratio, made odd: multiples of it visit
// all words before one comes again.
const golden = 0x9e3779b97f4a7c15

// mix is the finalizer of SplitMix64 (Steele, Lea and Flood, 2014) with the
// constants of Stafford's variant 13.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Below maps a word to 0 … n-1. The bias is below n/2^64. n must not be 0.
func Below(word, n uint64) uint64 {
	hi, _ := bits.Mul64(word, n)
	return hi
}

// Unit maps a word to [0, 1) in steps of 2^-53.
func Unit(word uint64) float64 { return float64(word>>11) * 0x1p-53 }

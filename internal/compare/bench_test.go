package compare

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkCompare is a comparison of twenty runs a side, already read.
func BenchmarkCompare(b *testing.B) {
	rng := rand.New(rand.NewPCG(15, 16))
	before, after := side("base", build(b, rng, "mem", 20, 1)), side("new", build(b, rng, "mem", 20, 1))
	for b.Loop() {
		if _, err := Compare(before, after, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

package dist

import "math"

// Zipf draws ranks with a probability proportional to 1/(rank+1)^theta, from 0
// (the most frequent) to n-1. It works by rejection-inversion (Hörmann and
// Derflinger, "Rejection-inversion to generate variates from monotone discrete
// distributions", 1996), so theta may be below 1 as in YCSB (0.99), nothing is
// tabled, and n may be another one at each draw.
type Zipf struct {
	theta float64
	hx1   float64 // H(1.5) - h(1)
	cut   float64 // accept without a further look below this distance
}

// NewZipf makes the distribution for an exponent above 0.
func NewZipf(theta float64) Zipf {
	z := Zipf{theta: theta}
	z.hx1 = z.integral(1.5) - 1
	z.cut = 2 - z.inverse(z.integral(2.5)-math.Pow(2, -theta))
	return z
}

// Rank is draw i of the stream over n ranks. n must not be 0.
func (z *Zipf) Rank(s Stream, i, n uint64) uint64 {
	sub := s.Sub(i)
	hn := z.integral(float64(n) + 0.5)
	for try := range uint64(maxTries) {
		u := hn + Unit(sub.At(try))*(z.hx1-hn)
		x := z.inverse(u)
		k := min(max(math.Floor(x+0.5), 1), float64(n))
		if k-x <= z.cut || u >= z.integral(k+0.5)-math.Pow(k, -z.theta) {
			return uint64(k) - 1
		}
	}
	return 0
}

// maxTries bounds the rejections. One is rejected in fewer than 4 of 10 draws
// whatever theta and n are, so the bound is never met in practice.
const maxTries = 128

// integral is H(x), the integral of 1/x^theta.
func (z *Zipf) integral(x float64) float64 {
	logx := math.Log(x)
	return expm1OverX((1-z.theta)*logx) * logx
}

// inverse is the inverse of integral.
func (z *Zipf) inverse(u float64) float64 {
	t := max(u*(1-z.theta), -1) // rounding can take it below -1
	return math.Exp(log1pOverX(t) * u)
}

// expm1OverX is (e^x - 1)/x, also near 0.
func expm1OverX(x float64) float64 {
	if math.Abs(x) > 1e-8 {
		return math.Expm1(x) / x
	}
	return 1 + x/2*(1+x/3)
}

// log1pOverX is ln(1 + x)/x, also near 0.
func log1pOverX(x float64) float64 {
	if math.Abs(x) > 1e-8 {
		return math.Log1p(x) / x
	}
	return 1 - x*(0.5-x/3)
}

package plan

import "math"

// Mean is the size to be expected, in bytes.
func (s Size) Mean() float64 {
	switch s.Kind {
	case "uniform":
		return (s.A + s.B) / 2
	case "histogram":
		mean := 0.0
		for i, size := range s.Sizes {
			mean += float64(size) * s.Weights[i]
		}
		return mean
	}
	return s.A
}

// Min is the smallest size, in bytes; of a normal distribution, which has none,
// what no draw is below: the mean less ten standard deviations, or 0.
func (s Size) Min() float64 {
	switch s.Kind {
	case "normal":
		return max(s.A-10*s.B, 0)
	case "histogram":
		smallest := math.Inf(1)
		for i, size := range s.Sizes {
			if s.Weights[i] > 0 {
				smallest = min(smallest, float64(size))
			}
		}
		return smallest
	}
	return s.A
}

// Max is the largest size, in bytes; of a normal distribution, which has none,
// the mean and three standard deviations.
func (s Size) Max() float64 {
	switch s.Kind {
	case "uniform":
		return s.B
	case "normal":
		return s.A + 3*s.B
	case "histogram":
		largest := 0
		for _, size := range s.Sizes {
			largest = max(largest, size)
		}
		return float64(largest)
	}
	return s.A
}

// Bytes is the length of a whole key, in bytes.
func (k Keys) Bytes() int {
	if k.Parent == "" {
		return k.Size
	}
	return len(k.Parent) + 1 + k.Size
}

package plan

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

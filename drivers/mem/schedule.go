package mem

// schedule is a binary heap of attempts, the first to end on top. It is not
// container/heap because that allocates for each request.
type schedule []attempt

func (s *schedule) push(a attempt) {
	*s = append(*s, a)
	h := *s
	for i := len(h) - 1; i > 0; {
		parent := (i - 1) / 2
		if h[parent].end <= h[i].end {
			return
		}
		h[parent], h[i] = h[i], h[parent]
		i = parent
	}
}

// pop removes the top.
func (s *schedule) pop() {
	h := *s
	last := len(h) - 1
	h[0], h[last] = h[last], attempt{}
	*s = h[:last]
	s.sink()
}

// sink puts the top where it belongs after its end has moved.
func (s *schedule) sink() {
	h := *s
	for i := 0; ; {
		first := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h); child++ {
			if h[child].end < h[first].end {
				first = child
			}
		}
		if first == i {
			return
		}
		h[first], h[i] = h[i], h[first]
		i = first
	}
}

package result

import (
	"math"
	"strings"
	"time"
)

// KeyRange is a figure over the requests of a phase whose numbers follow each
// other. Where keys are taken in sequence, these are the numbers of keys.
type KeyRange struct {
	From, To       uint64 // requests of the phase up to its start and up to its end
	N              uint64 // values in it
	Min, Mean, Max float64
}

// LatencyByKey gives the latencies of an operation's ok requests, in nanoseconds,
// range by range and step by step. A range without one is left out. Op is the
// index of the operation.
func (p *Phase) LatencyByKey(op int) []KeyRange {
	var list []KeyRange
	for i := range p.Steps {
		s := &p.Steps[i]
		if op >= len(s.Series) || s.Series[op].Ranges == nil {
			continue
		}
		r := s.Series[op].Ranges
		end := r.First + s.Warmup.Attempted + s.Counts.Attempted
		for j := range min(len(r.OK), len(r.Min), len(r.Mean), len(r.Max)) {
			from := r.First + uint64(j)*r.Width
			to := from + r.Width
			if from < end {
				to = min(to, end)
			}
			if r.OK[j] > 0 && !math.IsNaN(r.Min[j]+r.Mean[j]+r.Max[j]) {
				list = append(list, KeyRange{From: from, To: to, N: uint64(r.OK[j]), Min: r.Min[j], Mean: r.Mean[j], Max: r.Max[j]})
			}
		}
	}
	return list
}

// keyWidth is the least width of a range.
const keyWidth = 1000

// TrackByKey gives the samples of a track by the number of requests that had
// completed when they were taken, to the second: ranges of 1,000 requests or
// some power of two times as many, so that there are about two samples of a
// source to each. Values of all sources whose name begins so are in it, each by
// itself. A range in which no sample was taken is left out.
func (p *Phase) TrackByKey(sources, name string) []KeyRange {
	at := p.completedAt()
	if len(at) == 0 || at[len(at)-1] == 0 {
		return nil
	}
	total, width := at[len(at)-1], uint64(keyWidth)
	for (total+width-1)/width > uint64(len(at)+1)/2 {
		width *= 2
	}
	list := make([]KeyRange, (total+width-1)/width)
	for _, t := range p.Samples.Tracks {
		if t.Name != name || !strings.HasPrefix(t.Source, sources) {
			continue
		}
		for i, v := range t.Values {
			if i < len(at) && at[i] > 0 && !math.IsNaN(v) {
				list[(at[i]-1)/width].add(KeyRange{N: 1, Min: v, Mean: v, Max: v})
			}
		}
	}
	kept := list[:0]
	for i, k := range list {
		if k.From, k.To = uint64(i)*width, min(uint64(i+1)*width, total); k.N > 0 {
			kept = append(kept, k)
		}
	}
	return kept
}

// completedAt is how many requests had completed at each sample.
func (p *Phase) completedAt() []uint64 {
	n := 0
	for _, t := range p.Samples.Tracks {
		n = max(n, len(t.Values))
	}
	at := make([]uint64, n)
	step := max(p.Samples.Step, time.Second)
	// in counts what completed between a sample and the one before.
	in := func(end time.Duration, requests uint64) {
		i := int(max(0, (end-p.Samples.Start+step-1)/step))
		if i < n {
			at[i] += requests
		}
	}
	for i := range p.Steps {
		s := &p.Steps[i]
		in(s.From, s.Warmup.Attempted)
		for j := range s.Series {
			c := &s.Series[j].Seconds
			for k := range min(len(c.OK), len(c.Failed)) {
				in(min(c.Start+time.Duration(k+1)*max(c.Step, time.Second), s.To), uint64(c.OK[k])+uint64(c.Failed[k]))
			}
		}
	}
	for i := range at[min(1, n):] {
		at[i+1] += at[i]
	}
	return at
}

func (k *KeyRange) add(o KeyRange) {
	if k.N == 0 {
		*k = o
		return
	}
	k.Min, k.Max = min(k.Min, o.Min), max(k.Max, o.Max)
	k.Mean = (k.Mean*float64(k.N) + o.Mean*float64(o.N)) / float64(k.N+o.N)
	k.N, k.To = k.N+o.N, max(k.To, o.To)
}

// JoinRanges puts neighbours together until there are at most so many.
func JoinRanges(list []KeyRange, most int) []KeyRange {
	if len(list) <= most || most < 1 {
		return list
	}
	joined := make([]KeyRange, most)
	for i, k := range list {
		joined[i*most/len(list)].add(k)
	}
	return joined
}

package load

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/kvscen/kvscen/internal/result"
)

// hist is a histogram beside the exact figures that its bins would round.
type hist struct {
	sum      uint64
	min, max int64
	clamped  uint64
	hdr      *hdrhistogram.Histogram
}

func newHist() *hist { return &hist{hdr: result.NewHDR()} }

func (h *hist) record(v time.Duration) {
	ns := max(int64(v), 0)
	if ns > result.HistHighest {
		ns = result.HistHighest
		h.clamped++
	}
	if n := h.hdr.TotalCount(); n == 0 || ns < h.min {
		h.min = ns
	}
	h.max = max(h.max, ns)
	h.sum += uint64(ns)
	// A value within the range is never refused.
	_ = h.hdr.RecordValue(ns)
}

func (h *hist) merge(from *hist) {
	if from == nil || from.hdr == nil || from.hdr.TotalCount() == 0 {
		return
	}
	if h.hdr.TotalCount() == 0 || from.min < h.min {
		h.min = from.min
	}
	h.max = max(h.max, from.max)
	h.sum += from.sum
	h.clamped += from.clamped
	h.hdr.Merge(from.hdr) // of the same geometry: nothing is dropped
}

func (h *hist) reset() {
	h.hdr.Reset()
	*h = hist{hdr: h.hdr}
}

func (h *hist) result() (*result.Hist, error) {
	r := &result.Hist{N: uint64(h.hdr.TotalCount()), Sum: h.sum, Min: h.min, Max: h.max, Clamped: h.clamped}
	if r.N == 0 {
		return r, nil
	}
	return r, r.Encode(h.hdr)
}

package result

import (
	"fmt"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// The geometry of every latency histogram.
const (
	HistLowest  = 1                   // ns
	HistHighest = 3600 * 1000_000_000 // ns: one hour
	HistDigits  = 3
)

// Hist is a histogram of latencies in nanoseconds as it stands in run.json: an
// HdrHistogram in its V2 compressed encoding, beside the figures that bins would
// round. The zero Hist is empty.
type Hist struct {
	N       uint64 `json:"n"`
	Sum     uint64 `json:"sum"` // ns
	Min     int64  `json:"min"`
	Max     int64  `json:"max"`
	Clamped uint64 `json:"clamped,omitempty"` // values over an hour, counted as an hour
	Data    string `json:"data,omitempty"`    // base64
}

// NewHDR makes a histogram of the common geometry.
func NewHDR() *hdrhistogram.Histogram {
	return hdrhistogram.New(HistLowest, HistHighest, HistDigits)
}

// Encode sets Data from h.
func (h *Hist) Encode(from *hdrhistogram.Histogram) error {
	var e encoder
	b, err := e.encode(from)
	if err != nil {
		return fmt.Errorf("encoding a histogram of %d values: %w", from.TotalCount(), err)
	}
	h.Data = string(b)
	return nil
}

// HDR decodes the histogram. A nil or empty Hist gives an empty one.
func (h *Hist) HDR() (*hdrhistogram.Histogram, error) {
	if h == nil || h.Data == "" {
		return NewHDR(), nil
	}
	d, err := hdrhistogram.Decode([]byte(h.Data))
	if err != nil {
		return nil, fmt.Errorf("decoding a histogram: %w", err)
	}
	if d.LowestTrackableValue() != HistLowest || d.HighestTrackableValue() != HistHighest || d.SignificantFigures() != HistDigits {
		return nil, fmt.Errorf("decoding a histogram: it counts %d to %d ns with %d digits, which kvscen does not",
			d.LowestTrackableValue(), d.HighestTrackableValue(), d.SignificantFigures())
	}
	return d, nil
}

// Merge adds from to h without loss. Either may be empty.
func (h *Hist) Merge(from *Hist) error {
	if from == nil || from.N == 0 {
		return nil
	}
	if h.N == 0 {
		*h = *from
		return nil
	}
	a, err := h.HDR()
	if err != nil {
		return err
	}
	b, err := from.HDR()
	if err != nil {
		return err
	}
	if lost := a.Merge(b); lost > 0 {
		return fmt.Errorf("merging histograms: %d values do not fit", lost)
	}
	h.N, h.Sum, h.Clamped = h.N+from.N, h.Sum+from.Sum, h.Clamped+from.Clamped
	h.Min, h.Max = min(h.Min, from.Min), max(h.Max, from.Max)
	return h.Encode(a)
}

// Percentile is that of Latencies.
func (h *Hist) Percentile(p float64) Number { return h.open().Percentile(p) }

// Mean is Sum / N in nanoseconds.
func (h *Hist) Mean() Number {
	if h == nil || h.N == 0 {
		return NA("no samples")
	}
	return Known(float64(h.Sum) / float64(h.N))
}

func (h *Hist) open() *Latencies {
	var l Latencies
	if err := l.Add(h); err != nil {
		return &Latencies{None: "unreadable"}
	}
	return &l
}

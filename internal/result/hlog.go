package result

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// HLog writes latencies second by second in the HdrHistogram log format, for
// any tool that reads it: values in nanoseconds, interval maxima in
// milliseconds. It may be used from several goroutines.
type HLog struct {
	mu   sync.Mutex
	w    io.Writer
	base time.Time
	enc  encoder
	line []byte
	err  error // the first one; nothing is written after it
}

// NewHLog writes the head of a log to w. Start times in the log are relative to
// base, cut to the second, as the format has base times in whole seconds. An
// error of writing comes with the first Interval.
func NewHLog(w io.Writer, base time.Time) *HLog {
	l := &HLog{w: w, base: base.Truncate(time.Second)}
	head := hdrhistogram.NewHistogramLogWriter(w)
	for _, write := range []func() error{
		head.OutputLogFormatVersion,
		func() error { return head.OutputComment(" latencies of kvscen, in nanoseconds") },
		func() error { return head.OutputStartTime(l.base.UnixMilli()) },
		func() error { return head.OutputBaseTime(l.base.UnixMilli()) },
		head.OutputLegend,
	} {
		if err := write(); err != nil {
			l.err = fmt.Errorf("writing the head of the latency log: %w", err)
			break
		}
	}
	return l
}

// Interval writes one interval. The tag holds no space, comma or control
// character; see Tag. An empty or nil histogram is written too, so that a second
// without completions shows.
func (l *HLog) Interval(tag string, start, end time.Time, h *hdrhistogram.Histogram) error {
	if strings.ContainsFunc(tag, func(r rune) bool { return r <= ' ' || r == ',' || r == 0x7f }) {
		return fmt.Errorf("latency log: %q can't be a tag", tag)
	}
	if h == nil {
		h = NewHDR()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return l.err
	}
	data, err := l.enc.encode(h)
	if err != nil {
		return fmt.Errorf("latency log: %w", err)
	}
	l.line = l.line[:0]
	if tag != "" {
		l.line = fmt.Appendf(l.line, "Tag=%s,", tag)
	}
	l.line = fmt.Appendf(l.line, "%.3f,%.3f,%.6f,%s\n",
		start.Sub(l.base).Seconds(), end.Sub(start).Seconds(), float64(h.Max())/1e6, data)
	if _, err := l.w.Write(l.line); err != nil {
		l.err = fmt.Errorf("writing the latency log: %w", err)
	}
	return l.err
}

// Tag names a series in the latency log: LABEL.PHASE.OP, and with more than one
// repetition LABEL.PHASE.OP.runN with N from 1.
func Tag(label, phase, op string, repetition, repeat int) string {
	tag := label + "." + phase + "." + op
	if repeat > 1 {
		tag = fmt.Sprintf("%s.run%d", tag, repetition+1)
	}
	return tag
}

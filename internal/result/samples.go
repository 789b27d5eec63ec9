package result

import (
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"strconv"
	"time"
)

// MaxSamples is how many requests a phase may have for every one of them to be
// kept unasked.
const MaxSamples = 10_000

// Sample is one measured request. Offsets are from Phase.Start.
type Sample struct {
	N     uint64 // number of the request in its phase
	Step  int    // from 0; the CSV counts from 1 as the report does
	Op    string
	Open  bool // there is a schedule, so Due means something
	Due   time.Duration
	Start time.Duration
	End   time.Duration
	OK    bool
	Class string // of the error
}

// Service is end - start; of a failed request the time until it failed, which is
// no latency.
func (s *Sample) Service() time.Duration { return s.End - s.Start }

// Response is end - due, where there is a schedule.
func (s *Sample) Response() time.Duration { return s.End - s.Due }

// Latency is the response time where there is a schedule, else the service time.
func (s *Sample) Latency() time.Duration {
	if s.Open {
		return s.Response()
	}
	return s.Service()
}

// SampleColumn describes a column of the CSV.
type SampleColumn struct{ Name, Doc string }

// SampleColumns describes the columns, whose names hold their unit. Times of a
// failed request stand in a column of their own, so that they are not taken for
// latencies.
func SampleColumns() []SampleColumn {
	return []SampleColumn{
		{"request", "number of the request in its phase, from 0"},
		{"step", "load level, from 1"},
		{"op", "name of the operation"},
		{"start_ns", "when it was sent, from the start of the phase"},
		{"due_ns", "when it was due; empty without a schedule"},
		{"service_ns", "end - start of an ok request"},
		{"response_ns", "end - due of an ok request, with a schedule"},
		{"lag_ns", "start - due, with a schedule"},
		{"ok", "`true` or `false`"},
		{"error_class", "of a failed request"},
		{"failed_ns", "end - start of a failed request, which is no latency"},
	}
}

// sampleColumns head the CSV.
func sampleColumns() []string {
	var names []string
	for _, c := range SampleColumns() {
		names = append(names, c.Name)
	}
	return names
}

// WriteSamples writes samples as CSV, a line each, times in nanoseconds. What
// does not exist is left empty: due, response and lag without a schedule,
// latencies of a failed request.
func WriteSamples(w io.Writer, samples iter.Seq[Sample]) error {
	c := csv.NewWriter(w)
	line := sampleColumns()
	n := 0
	err := c.Write(line)
	for s := range samples {
		n++
		clear(line)
		line[0], line[1], line[2] = strconv.FormatUint(s.N, 10), strconv.Itoa(s.Step+1), s.Op
		line[3], line[8], line[9] = ns(s.Start), strconv.FormatBool(s.OK), s.Class
		if s.Open {
			line[4], line[7] = ns(s.Due), ns(s.Start-s.Due)
		}
		switch {
		case !s.OK:
			line[10] = ns(s.Service())
		case s.Open:
			line[5], line[6] = ns(s.Service()), ns(s.Response())
		default:
			line[5] = ns(s.Service())
		}
		if err = c.Write(line); err != nil {
			break
		}
	}
	if c.Flush(); err == nil {
		err = c.Error()
	}
	if err != nil {
		return fmt.Errorf("writing samples, the %d. of them: %w", n, err)
	}
	return nil
}

func ns(d time.Duration) string { return strconv.FormatInt(int64(d), 10) }

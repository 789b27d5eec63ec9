package result

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"time"
)

// MaxSamples is how many requests a phase may have for every one of them to be
// kept.
const MaxSamples = 10_000

// Sample is one request. Offsets are from Phase.Start.
type Sample struct {
	N        uint64 // number of the request in its phase
	Step     int    // from 0; the CSV counts from 1 as the report does
	Op       string
	Open     bool // there is a schedule, so Due, Response and Lag mean something
	Start    time.Duration
	Due      time.Duration
	Service  time.Duration
	Response time.Duration
	Lag      time.Duration
	OK       bool
	Class    string // of the error
}

// WriteSamples writes samples as CSV, a line each, times in nanoseconds. What
// does not exist without a schedule is left empty.
func WriteSamples(w io.Writer, samples []Sample) error {
	c := csv.NewWriter(w)
	lines := [][]string{{
		"request", "step", "op", "start_ns", "due_ns", "service_ns", "response_ns", "lag_ns", "ok", "error_class",
	}}
	for _, s := range samples {
		due, response, lag := "", "", ""
		if s.Open {
			due, response, lag = ns(s.Due), ns(s.Response), ns(s.Lag)
		}
		lines = append(lines, []string{
			strconv.FormatUint(s.N, 10), strconv.Itoa(s.Step + 1), s.Op,
			ns(s.Start), due, ns(s.Service), response, lag,
			strconv.FormatBool(s.OK), s.Class,
		})
	}
	if err := c.WriteAll(lines); err != nil {
		return fmt.Errorf("writing %d samples: %w", len(samples), err)
	}
	return nil
}

func ns(d time.Duration) string { return strconv.FormatInt(int64(d), 10) }

package report

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

// Rescued writes what the latency log of a killed run holds, a line for each
// operation of a phase on a cluster. What the log does not have is named, not
// guessed.
func Rescued(w io.Writer, l *result.LatencyLog) error {
	fmt.Fprintf(w, "The log began %s.\n", l.Base.Format("2006-01-02 15:04:05 MST"))
	if l.Cut {
		fmt.Fprintln(w, "Its last line was not written to its end, and is left out.")
	}
	if len(l.Series) == 0 {
		fmt.Fprintln(w, "Nothing had been measured yet.")
		return nil
	}
	g := grid{left: 1, head: []string{
		"cluster.phase.operation", "begins", "ends", "seconds", "ok", "best second", "min ms", "mean ms", "p50 ms", "p99 ms", "p99.9 ms", "max ms",
	}}
	n := &notes{}
	for i := range l.Series {
		s := &l.Series[i]
		at := func(t time.Time) string { return decimals(t.Sub(l.Base).Seconds(), 1) + " s" }
		ms := func(v result.Number) string { return n.cell(v, cellMilliseconds) }
		t := &s.Latencies
		g.rows = append(g.rows, []string{
			shorten(s.Tag, 60), at(s.From), at(s.To), whole(float64(s.Seconds)), whole(float64(t.N)), whole(float64(s.Most)),
			ms(t.Fastest()), ms(t.Mean()), ms(t.Percentile(50)), ms(t.Percentile(99)), ms(t.Percentile(99.9)), ms(t.Slowest()),
		})
	}
	if err := (&terminal{w: w}).table(&g, n); err != nil {
		return err
	}
	paragraph(w, "", 0, "Latencies are response times where there was a schedule, else service times, of requests that succeeded. "+
		"The last second of a step may be a part of one. Failed and missed requests, load levels, and what members used are not known: they would have been in run.json.")
	return nil
}

// RescuedJSON writes the same for other programs; latencies in nanoseconds.
func RescuedJSON(w io.Writer, l *result.LatencyLog) error {
	type series struct {
		Tag     string        `json:"tag"`
		From    time.Time     `json:"from"`
		To      time.Time     `json:"to"`
		Seconds int           `json:"seconds"`
		OK      uint64        `json:"ok"`
		Most    uint64        `json:"best_second"`
		Min     result.Number `json:"min"`
		Mean    result.Number `json:"mean"`
		P50     result.Number `json:"p50"`
		P99     result.Number `json:"p99"`
		P999    result.Number `json:"p99.9"`
		Max     result.Number `json:"max"`
	}
	out := struct {
		Base   time.Time `json:"base"`
		Cut    bool      `json:"cut"`
		Series []series  `json:"series"`
	}{l.Base, l.Cut, []series{}}
	for i := range l.Series {
		s := &l.Series[i]
		t := &s.Latencies
		out.Series = append(out.Series, series{s.Tag, s.From, s.To, s.Seconds, t.N, s.Most,
			t.Fastest(), t.Mean(), t.Percentile(50), t.Percentile(99), t.Percentile(99.9), t.Slowest()})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	if err := e.Encode(out); err != nil {
		return fmt.Errorf("encoding a latency log: %w", err)
	}
	return nil
}

package result

import (
	"maps"
	"slices"
	"time"
)

// fullSeconds are the extremes of ok requests over the full seconds in W of one
// step.
type fullSeconds struct {
	n        int
	some     bool // the step has ok requests
	min, max uint64
	reason   string // not empty: can't be told
}

// secondsIn adds up the columns of a step's series, second by second, and keeps
// the seconds that lie wholly inside W. A second that no column reaches counts
// as one without a completion.
func secondsIn(s *Step, op string) fullSeconds {
	var series []*Seconds
	for i := range s.Series {
		if op == "" || s.Series[i].Op == op {
			series = append(series, &s.Series[i].Seconds)
		}
	}
	series = slices.DeleteFunc(series, func(c *Seconds) bool { return len(c.OK) == 0 || c.Step <= 0 })
	if len(series) == 0 || s.To <= s.From {
		return fullSeconds{}
	}
	step, grid := series[0].Step, series[0].Start%series[0].Step
	sums := map[time.Duration]uint64{} // by start of the second
	for _, c := range series {
		if c.Step != step || c.Start%step != grid {
			return fullSeconds{reason: "seconds of operations differ"}
		}
		for i, ok := range c.OK {
			at := c.Start + time.Duration(i)*step
			if at >= s.From && at+step <= s.To {
				sums[at] += uint64(ok)
			}
		}
	}
	f := fullSeconds{n: fullIn(s.From, s.To, grid, step), some: true}
	if f.n == 0 || len(sums) == 0 {
		return f
	}
	counts := slices.Collect(maps.Values(sums))
	f.max = slices.Max(counts)
	if f.n == len(counts) {
		f.min = slices.Min(counts)
	}
	return f
}

// fullIn counts the seconds of a grid that lie wholly inside a window.
func fullIn(from, to, grid, step time.Duration) int {
	first := (from - grid + step - 1) / step
	last := (to - grid) / step
	return int(max(0, last-first))
}

// extremes gives the largest and the smallest full second of all steps. A step
// too short to have one makes them unknown: its rate may be the largest, and a
// maximum below the average would be the answer.
func extremes(steps []fullSeconds, ok uint64) (most, least Number) {
	if ok == 0 {
		return NA("nothing ok"), NA("nothing ok")
	}
	var all fullSeconds
	for _, s := range steps {
		if s.reason != "" {
			return NA(s.reason), NA(s.reason)
		}
		if s.n == 0 {
			if s.some {
				return NA("no full second"), NA("no full second")
			}
			continue
		}
		if all.n == 0 {
			all.min = s.min
		}
		all.n += s.n
		all.min, all.max = min(all.min, s.min), max(all.max, s.max)
	}
	if all.n == 0 {
		return NA("no full second"), NA("no full second")
	}
	return Known(float64(all.max)), Known(float64(all.min))
}

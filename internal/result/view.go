package result

import (
	"fmt"
	"time"
)

// View is a part of a run with its steps, repetitions and operations put
// together: counts and windows are summed, histograms merged, never averaged.
type View struct {
	Selection Selection
	Runs      int           // repetitions that took part
	Window    time.Duration // sum of the steps' W
	Open      bool          // every step has a schedule
	Closed    bool          // no step has one

	// Counts are those of the selection. With one of several operations only
	// Attempted, OK and Failed are its own; Missed and Undue are of all operations
	// together, as a schedule is not told apart by operation. While Missed > 0
	// every latency expectation fails: see MetricInfo.FailsOnMissed.
	Counts Counts
	Warmup Counts

	Found, Entries, Written, Read, Retries uint64

	Service  *Latencies // of ok requests
	Response *Latencies // of ok requests of steps with a schedule
	Latency  *Latencies // response time where the step has a schedule, else service time
	Charged  *Latencies // Response, and the missed requests at end - due
	Lag      *Latencies // of all operations
	Failed   *Latencies // service time of failed requests, of all operations

	MaxThroughput Number // ok a second, of the full seconds in W
	MinThroughput Number
	Used          Used

	// uniform is true where all steps have a schedule or none has: Latency is then one
	// of the others, and its histograms need not be opened again.
	uniform bool
}

// View puts together what s selects. It is an error if there is no such
// cluster, phase, repetition, step or operation, or a histogram can't be read.
func (r *Run) View(s Selection) (*View, error) {
	parts, err := r.parts(s)
	if err != nil {
		return nil, err
	}
	v := newView(s)
	v.uniform = uniform(parts)
	var seconds []fullSeconds
	var steps [][]Step
	for _, p := range parts {
		v.Runs++
		v.Used.InProcess = v.Used.InProcess || p.inProcess
		steps = append(steps, p.steps)
		for i := range p.steps {
			if err := v.add(&p.steps[i], p.single); err != nil {
				return nil, fmt.Errorf("phase %s on %s, step %d: %w", s.Phase, s.Cluster, i+1, err)
			}
			seconds = append(seconds, secondsIn(&p.steps[i], s.Op))
		}
	}
	v.finish(seconds)
	v.Used.gather(steps)
	return v, nil
}

func newView(s Selection) *View {
	return &View{
		Selection: s, Open: true, Closed: true,
		Service:  &Latencies{None: "nothing ok"},
		Response: &Latencies{None: "nothing ok"},
		Latency:  &Latencies{None: "nothing ok"},
		Charged:  &Latencies{None: "nothing ok"},
		Lag:      &Latencies{None: "nothing started"},
		Failed:   &Latencies{None: "none failed"},
	}
}

// add takes a step in. single is true where the phase has just one operation,
// so that the step's counts are the operation's.
func (v *View) add(s *Step, single bool) error {
	v.Window += s.To - s.From
	v.Open, v.Closed = v.Open && s.Open, v.Closed && !s.Open
	whole := single || v.Selection.Op == ""
	v.addCounts(s, whole)
	for i := range s.Series {
		if sr := &s.Series[i]; v.Selection.Op == "" || sr.Op == v.Selection.Op {
			if err := v.addSeries(s, sr, whole); err != nil {
				return fmt.Errorf("operation %s: %w", sr.Op, err)
			}
		}
	}
	if err := v.Lag.Add(s.Lag); err != nil {
		return fmt.Errorf("lag: %w", err)
	}
	if err := v.Failed.Add(s.Failed); err != nil {
		return fmt.Errorf("failed requests: %w", err)
	}
	if err := v.Charged.Add(s.Missed); err != nil {
		return fmt.Errorf("missed requests: %w", err)
	}
	return nil
}

func (v *View) addCounts(s *Step, whole bool) {
	v.Counts.Missed += s.Counts.Missed
	v.Counts.Undue += s.Counts.Undue
	if !whole {
		return
	}
	v.Counts.Asked += s.Counts.Asked
	v.Counts.Due += s.Counts.Due
	v.Counts.Attempted += s.Counts.Attempted
	v.Counts.OK += s.Counts.OK
	v.Counts.Failed += s.Counts.Failed
	v.Warmup.add(s.Warmup)
}

func (v *View) addSeries(s *Step, sr *Series, whole bool) error {
	if !whole {
		v.Counts.OK += sr.OK
		v.Counts.Failed += sr.Failed
		v.Counts.Attempted += sr.OK + sr.Failed
	}
	v.Found += sr.Found
	v.Entries += sr.Entries
	v.Written += sr.Written
	v.Read += sr.Read
	v.Retries += sr.Retries
	if err := v.Service.Add(sr.Service); err != nil {
		return err
	}
	if s.Open {
		for _, l := range []*Latencies{v.Response, v.Charged} {
			if err := l.Add(sr.Response); err != nil {
				return err
			}
		}
	}
	switch {
	case v.uniform:
		return nil
	case s.Open:
		return v.Latency.Add(sr.Response)
	}
	return v.Latency.Add(sr.Service)
}

// uniform reports whether all steps have a schedule, or none has.
func uniform(parts []part) bool {
	open, closed := 0, 0
	for _, p := range parts {
		for i := range p.steps {
			if p.steps[i].Open {
				open++
			} else {
				closed++
			}
		}
	}
	return open == 0 || closed == 0
}

// finish settles what depends on the whole.
func (v *View) finish(seconds []fullSeconds) {
	if len(seconds) == 0 {
		v.Open = false
	}
	if v.uniform {
		v.Latency = v.Response
		if v.Closed {
			v.Latency = v.Service
		}
	}
	if v.Closed {
		v.Response = &Latencies{None: "closed loop"}
		v.Charged = &Latencies{None: "closed loop"}
		v.Lag = &Latencies{None: "closed loop"}
	}
	if v.Counts.Missed > v.Charged.N-v.Response.N {
		v.Charged = &Latencies{None: "missed not timed"}
	}
	if v.Selection.Op != "" && v.Counts.Missed > 0 && v.Counts.Due == 0 {
		v.Charged = &Latencies{None: "missed of all operations"}
	}
	v.MaxThroughput, v.MinThroughput = extremes(seconds, v.Counts.OK)
}

func (c *Counts) add(o Counts) {
	c.Asked += o.Asked
	c.Due += o.Due
	c.Attempted += o.Attempted
	c.OK += o.OK
	c.Failed += o.Failed
	c.Missed += o.Missed
	c.Undue += o.Undue
}

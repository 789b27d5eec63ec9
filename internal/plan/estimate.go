package plan

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// Estimate is what a run is likely to take, by the nominal figures of the
// recipes. It is printed before a run and decides nothing.
type Estimate struct {
	Clusters []ClusterEstimate `json:"clusters"`
	Requests uint64            `json:"requests"` // of all clusters and repetitions; of phases that end by time, as many as are likely
	Payload  int64             `json:"payload"`  // bytes written: keys and values
	Disk     int64             `json:"disk"`     // bytes, of the cluster that needs most: data is removed cluster by cluster
	Time     time.Duration     `json:"time"`     // of all clusters and repetitions; 0: can't be foretold
}

// ClusterEstimate is one repetition on one cluster.
type ClusterEstimate struct {
	Label    string        `json:"label"`
	Driver   string        `json:"driver"`
	Version  string        `json:"version,omitempty"`
	Members  int           `json:"members"`
	Started  bool          `json:"started"` // by us; else it runs already
	Steps    int           `json:"steps"`
	Requests uint64        `json:"requests"`
	Payload  int64         `json:"payload"`
	Disk     int64         `json:"disk"`             // over all members; 0: not known
	Memory   int64         `json:"memory,omitempty"` // of the members started on this machine, when they hold all; 0: not known
	Time     time.Duration `json:"time"`
}

// Estimate foretells the run.
func (p *Plan) Estimate() Estimate {
	var e Estimate
	repeat := max(p.Repeat, 1)
	known, total := true, 0.0
	for i := range p.Runs {
		c := p.estimateRun(&p.Runs[i])
		e.Clusters = append(e.Clusters, c)
		e.Requests += c.Requests * uint64(repeat)
		e.Payload += c.Payload * int64(repeat)
		e.Disk = max(e.Disk, c.Disk)
		total += c.Time.Seconds() * float64(repeat)
		known = known && c.Time > 0
	}
	if known {
		e.Time = seconds(total)
	}
	return e
}

func (p *Plan) estimateRun(run *Run) ClusterEstimate {
	k := &run.Cluster
	e := ClusterEstimate{Label: k.Label, Driver: k.Driver, Version: k.Version, Members: len(k.Nodes), Started: len(k.Nodes) > 0}
	e.Members += len(k.Endpoints)
	known := true
	stored, mostStored := 0.0, 0.0
	for _, g := range run.Groups {
		longest, ok := foreground(&g, k.Nominal)
		known = known && ok
		e.Time += longest
		for i := range g.Phases {
			ph := &g.Phases[i]
			e.Steps += len(ph.Steps)
			n := ph.requests(k.Nominal, longest)
			e.Requests += uint64(n)
			written := n * p.written(ph.Ops)
			e.Payload += int64(written)
			if ph.Fresh {
				stored = 0
			}
			stored += written
			mostStored = max(mostStored, stored)
		}
	}
	if !known {
		e.Time = 0
	}
	here := 0
	for _, n := range k.Nodes {
		if n.Host == nil {
			here++
		}
	}
	if held := p.Held(run); here > 0 && len(held) > 0 {
		e.Memory = int64(slices.Max(held) * k.Memory * float64(here))
	}
	if e.Started {
		e.Disk = int64((float64(k.Base) + mostStored*k.Overhead) * float64(e.Members))
	}
	return e
}

// foreground is how long a group lasts; false: it can't be known.
func foreground(g *Group, n Nominal) (time.Duration, bool) {
	longest, known := time.Duration(0), true
	for i := range g.Phases {
		if g.Phases[i].Background {
			continue
		}
		total := 0.0
		for _, s := range g.Phases[i].Steps {
			seconds := s.seconds(n)
			known = known && !math.IsInf(seconds, 1)
			total += seconds
		}
		if known {
			longest = max(longest, seconds(total))
		}
	}
	return longest, known
}

// requests is how many requests the phase is likely to send; beside it, the
// group lasts so long.
func (p *Phase) requests(n Nominal, lasts time.Duration) float64 {
	total := 0.0
	for _, s := range p.Steps {
		if s.Requests == 0 && s.Duration == 0 {
			s.Duration = lasts / time.Duration(len(p.Steps)) // in the background
		}
		total += s.likelyRequests(n)
	}
	return math.Floor(total)
}

// written is the payload of an average request, in bytes.
func (p *Plan) written(ops []Op) float64 {
	total := 0.0
	for i := range ops {
		o := &ops[i]
		weight := o.Weight
		switch {
		case len(o.Ops) > 0:
			inTxn := p.written(withWeight(o.Ops))
			total += weight * inTxn
		case o.Value != nil:
			total += weight * (float64(p.Keys[o.Draw.Keys].Bytes()) + o.Value.Size.Mean())
		}
	}
	return total
}

// withWeight gives each operation of a transaction the weight 1: all of them
// are carried out.
func withWeight(ops []Op) []Op {
	out := make([]Op, len(ops))
	for i, o := range ops {
		o.Weight = 1
		out[i] = o
	}
	return out
}

// String is one line: "3 members of etcd 3.7.3, 8 steps, 1,000,000 requests,
// about 9 min, 8 GB of disk". Several clusters are each named, and the whole
// after them.
func (e Estimate) String() string {
	var parts []string
	for _, c := range e.Clusters {
		parts = append(parts, c.String())
	}
	if len(parts) == 1 {
		parts = append(parts, fmt.Sprintf("%s requests", commas(e.Requests)))
	} else {
		parts = []string{strings.Join(parts, "; ") + "; together " + commas(e.Requests) + " requests"}
	}
	parts = append(parts, about(e.Time))
	if e.Disk > 0 {
		parts = append(parts, roughly(e.Disk)+" of disk")
	}
	return strings.Join(parts, ", ")
}

// String names the members and the steps.
func (c ClusterEstimate) String() string {
	store := c.Driver
	if c.Version != "" {
		store += " " + c.Version
	}
	if c.Label != c.Driver {
		store += " (" + c.Label + ")"
	}
	return fmt.Sprintf("%s of %s, %s", plural(c.Members, "member"), store, plural(c.Steps, "step"))
}

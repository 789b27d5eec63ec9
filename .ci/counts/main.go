// Command counts checks the arithmetic of a result: that every request asked
// for is accounted for, in every step of every phase.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/kvscen/kvscen/internal/result"
)

// want is what the result must show beside sums that add up.
type want struct {
	phase    string // the one that requests is about; empty: any
	requests uint64 // asked for, ok all of them; 0: not checked
	members  int
}

func main() {
	var w want
	flag.StringVar(&w.phase, "phase", "", "name of a phase that must be there")
	flag.Uint64Var(&w.requests, "requests", 0, "requests of that phase, all of which must be ok")
	flag.IntVar(&w.members, "members", 0, "members of each cluster")
	flag.Parse()
	run, err := result.Load(flag.Arg(0))
	if err == nil {
		err = w.verify(run)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "counts:", err)
		os.Exit(1)
	}
	fmt.Printf("counts of %s are exact\n", flag.Arg(0))
}

func (w want) verify(run *result.Run) error {
	if len(run.Clusters) == 0 {
		return errors.New("there is no cluster in the result")
	}
	found := false
	for _, c := range run.Clusters {
		if len(c.Members) != w.members {
			return fmt.Errorf("%s has %d members, want %d", c.Label, len(c.Members), w.members)
		}
		for _, p := range c.Phases {
			total, err := addUp(p)
			if err != nil {
				return fmt.Errorf("%s, phase %s: %w", c.Label, p.Name, err)
			}
			if p.Name == w.phase {
				found = true
				if total != w.requests {
					return fmt.Errorf("%s, phase %s: %d ok, want %d", c.Label, p.Name, total, w.requests)
				}
			}
		}
	}
	if w.phase != "" && !found {
		return fmt.Errorf("there is no phase %s in the result", w.phase)
	}
	return nil
}

// addUp checks the sums of a phase and returns how many requests were ok, with
// those of the warm-up.
func addUp(p result.Phase) (ok uint64, err error) {
	if len(p.Steps) == 0 {
		return 0, errors.New("no step was run")
	}
	for i, s := range p.Steps {
		c := s.Counts
		var series uint64
		for _, op := range s.Series {
			series += op.OK
		}
		switch {
		case c.OK == 0:
			return 0, fmt.Errorf("step %d: nothing was ok", i)
		case c.OK+c.Failed != c.Attempted:
			return 0, fmt.Errorf("step %d: %d ok + %d failed are not %d attempted", i, c.OK, c.Failed, c.Attempted)
		case c.Attempted+c.Missed != c.Due:
			return 0, fmt.Errorf("step %d: %d attempted + %d missed are not %d due", i, c.Attempted, c.Missed, c.Due)
		case c.Asked != 0 && c.Due+c.Undue != c.Asked:
			return 0, fmt.Errorf("step %d: %d due + %d undue are not %d asked", i, c.Due, c.Undue, c.Asked)
		case series != c.OK:
			return 0, fmt.Errorf("step %d: the operations add up to %d ok, not to %d", i, series, c.OK)
		}
		ok += c.OK + s.Warmup.OK
	}
	return ok, nil
}

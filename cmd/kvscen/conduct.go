package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/kvscen/kvscen/engine"
	"github.com/kvscen/kvscen/internal/result"
	"github.com/kvscen/kvscen/internal/scenario"
)

// conduct hands the plan to the engine and lets the progress be seen.
func conduct(ctx context.Context, cmd *cobra.Command, s *scenario.Scenario, cfg engine.Config, flags runFlags) (*result.Run, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, internal("finding the path of this program: %w", err)
	}
	cfg.Self = self
	hosts, err := connectable(s.Plan, self, cfg.Out)
	if err != nil {
		return nil, err
	}
	if hosts != nil {
		defer hosts.Close()
		cfg.Hosts = hosts
	}
	tuneCollector()
	if cfg.Observer, err = flags.observers(cmd, s.Plan.Name); err != nil {
		return nil, err
	}
	if flags.abort {
		cfg.Judge = prospect{ctx, s}
	}
	run, err := engine.Run(ctx, s.Plan, cfg)
	if run == nil {
		if cause, ok := errors.AsType[interrupted](context.Cause(ctx)); ok {
			return nil, &failure{cause.status, cause}
		}
		return nil, setup("%s: %w", s.Plan.Name, err)
	}
	if err != nil && run.Status == result.StatusOK {
		run.Status, run.Reason = result.StatusInternal, err.Error()
	}
	return run, nil
}

// prospect judges a run that goes on by the expectations of its scenario.
type prospect struct {
	ctx context.Context // of the run, for calls into the script
	s   *scenario.Scenario
}

func (p prospect) Ended(run *result.Run) string    { return p.s.Hopeless(p.ctx, run) }
func (p prospect) UnderWay(m result.Moment) string { return p.s.HopelessNow(m) }

// gcPercent is the GOGC of a run. What lives on the heap is some tens of
// megabytes, so that the memory it costs is small beside the CPU time it saves
// each request.
const gcPercent = 400

// tuneCollector sets it, unless the user has set one.
func tuneCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
}

// settle gives the run its exit status: that of its first cause. What the
// engine found comes first, then verdicts, then marks, then reports, which say
// nothing about what was measured.
func settle(ctx context.Context, run *result.Run, strict bool) {
	if cause, ok := errors.AsType[interrupted](context.Cause(ctx)); ok &&
		(run.Status == result.StatusOK || run.Status == result.StatusInterrupted) {
		run.Status, run.Reason = cause.status, cause.Error()
	}
	if run.Status != result.StatusOK {
		return
	}
	if n, first := notPassed(run.Verdicts); n > 0 {
		run.Status = result.StatusCheck
		run.Reason = fmt.Sprintf("%d of %d expectations and checks did not pass, the first: %s", n, len(run.Verdicts), first)
		return
	}
	if mark := firstBad(run); strict && mark != "" {
		run.Status, run.Reason = result.StatusUntrusted, "not to be trusted: "+mark
		return
	}
	if i := slices.IndexFunc(run.Reports, func(r result.Report) bool { return r.Failed() }); i >= 0 {
		run.Status, run.Reason = result.StatusReport, "the report "+run.Reports[i].Name+" failed"
	}
}

// notPassed counts the verdicts that failed or are unknown, and names the first.
func notPassed(verdicts []result.Verdict) (n int, first string) {
	for _, v := range verdicts {
		if v.OK() {
			continue
		}
		if n == 0 {
			first = v.Name
		}
		n++
	}
	return n, first
}

// firstBad describes the first bad mark of a run; empty: there is none.
func firstBad(run *result.Run) string {
	for _, c := range run.Clusters {
		for _, p := range c.Phases {
			for _, m := range p.Marks {
				if m.Bad {
					return fmt.Sprintf("%s, phase %s: %s", c.Label, p.Name, m.Text)
				}
			}
		}
	}
	return ""
}

// terminal reports whether progress may be drawn over itself.
func terminal() bool {
	return term.IsTerminal(int(os.Stderr.Fd())) && os.Getenv("TERM") != "dumb"
}

// terminalWidth is asked anew for each line, since windows change their size.
func terminalWidth() int {
	if width, _, err := term.GetSize(int(os.Stderr.Fd())); err == nil && width > 0 {
		return width
	}
	return 80
}

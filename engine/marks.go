package engine

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/engine/load"
	"github.com/kvscen/kvscen/engine/sample"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// Thresholds of the marks of trust.
const (
	shortest    = 1.0                   // seconds of W below which the client's CPU, read just outside of it, says nothing
	clientBound = 0.8                   // share of the processors that kvscen may use before it is the bottleneck
	lateStart   = time.Millisecond      // lag p99 up to this is no doubt
	lateShare   = 0.1                   // nor is lag p99 up to this share of the median response
	unsettledBy = 0.2                   // relative change of throughput from the middle third to the last
	settleTime  = 6                     // full seconds without which it can't be told
	longPause   = 20 * time.Millisecond // of the garbage collector
	fewErrors   = 0.01                  // share of failed requests up to which the figures still mean something
)

// marks are the doubts about a phase.
func marks(s *session, p *plan.Phase, r *result.Phase) []result.Mark {
	var list []result.Mark
	if shared(s) {
		list = append(list, result.Mark{Kind: "shared-machine", Step: -1,
			Text: fmt.Sprintf("kvscen and %s share one machine with %d processors", members(len(s.up.members)), runtime.NumCPU())})
	}
	if m := stalledMark(&r.Samples); m != nil {
		list = append(list, *m)
	}
	for i := range r.Steps {
		step := &r.Steps[i]
		for _, doubt := range []func(*plan.Phase, *result.Step) *result.Mark{
			memberMark, errorsMark, foundMark, clientBoundMark, missedMark, lateMark, unsettledMark, pauseMark,
		} {
			if m := doubt(p, step); m != nil {
				m.Step = i
				list = append(list, *m)
			}
		}
	}
	return list
}

// shared reports whether members run on the client's machine, or in it.
func shared(s *session) bool {
	for _, m := range s.result.Members {
		if m.Host == sample.Local {
			return true
		}
	}
	return false
}

func clientBoundMark(_ *plan.Phase, s *result.Step) *result.Mark {
	w := (s.To - s.From).Seconds()
	cpus := float64(min(runtime.GOMAXPROCS(0), runtime.NumCPU()))
	if !s.Client.CPUSeconds.OK() || w < shortest {
		return nil
	}
	if used := s.Client.CPUSeconds.V / w; used > clientBound*cpus {
		return &result.Mark{Kind: "client-bound", Bad: true,
			Text: fmt.Sprintf("kvscen used %.0f %% of one core, of %.0f cores: it may have been the bottleneck", 100*used, cpus)}
	}
	return nil
}

// memberMark says that the store was another one in the end than was asked for.
func memberMark(_ *plan.Phase, s *result.Step) *result.Mark {
	if s.EndedBy != load.EndMember {
		return nil
	}
	return &result.Mark{Kind: "member-lost", Bad: true,
		Text: "a member died, and that ended the phase: the figures are of what was measured until then"}
}

// errorsMark says that the load was another one than was asked for: a failed
// request is often a cheap one.
func errorsMark(_ *plan.Phase, s *result.Step) *result.Mark {
	if s.Counts.Failed == 0 {
		return nil
	}
	share := float64(s.Counts.Failed) / float64(s.Counts.Attempted)
	return &result.Mark{Kind: "errors", Bad: share > fewErrors,
		Text: fmt.Sprintf("%s of %s requests failed (%.2g %%)",
			humanize.Comma(int64(s.Counts.Failed)), humanize.Comma(int64(s.Counts.Attempted)), 100*share)}
}

// foundMark says that reads came for keys that are not there: mostly a store
// that was not written to before, and much cheaper than it was meant.
func foundMark(_ *plan.Phase, s *result.Step) *result.Mark {
	for i := range s.Series {
		series := &s.Series[i]
		reads := strings.HasPrefix(series.Op, drivers.Get.String()) || strings.HasPrefix(series.Op, drivers.Delete.String())
		if reads && series.OK > 0 && series.Found == 0 {
			return &result.Mark{Kind: "nothing-found",
				Text: fmt.Sprintf("none of %s requests (%s) found its key", humanize.Comma(int64(series.OK)), series.Op)}
		}
	}
	return nil
}

func missedMark(_ *plan.Phase, s *result.Step) *result.Mark {
	if s.Counts.Missed == 0 {
		return nil
	}
	return &result.Mark{Kind: "schedule-missed", Bad: true,
		Text: fmt.Sprintf("%s of %s requests that were due were never sent: %d clients were too few for %s",
			humanize.Comma(int64(s.Counts.Missed)), humanize.Comma(int64(s.Counts.Due)), s.Clients, s.Rate)}
}

func lateMark(_ *plan.Phase, s *result.Step) *result.Mark {
	if !s.Open || s.Counts.Missed > 0 {
		return nil
	}
	lag := s.Lag.Percentile(99)
	var responses result.Latencies
	for i := range s.Series {
		if err := responses.Add(s.Series[i].Response); err != nil {
			return nil
		}
	}
	median := responses.Percentile(50)
	if !lag.OK() || !median.OK() || lag.V <= max(float64(lateStart), lateShare*median.V) {
		return nil
	}
	return &result.Mark{Kind: "late", Bad: true,
		Text: fmt.Sprintf("1 %% of the requests started more than %v late; the median response is %v",
			time.Duration(lag.V).Round(time.Microsecond), time.Duration(median.V).Round(time.Microsecond))}
}

// unsettledMark compares the throughput of the last third of the full seconds
// with that of the middle third. A step whose schedule changes is not expected
// to settle.
func unsettledMark(p *plan.Phase, s *result.Step) *result.Mark {
	var perSecond []float64
	for i := range s.Series {
		for k, n := range s.Series[i].Seconds.OK {
			if k == len(perSecond) {
				perSecond = append(perSecond, 0)
			}
			perSecond[k] += float64(n)
		}
	}
	if n := len(perSecond); n > 0 {
		perSecond = perSecond[:n-1] // the last is not full
	}
	n := len(perSecond)
	if n < settleTime {
		return &result.Mark{Kind: "short",
			Text: fmt.Sprintf("%.1f s are too short to see whether throughput settled", (s.To - s.From).Seconds())}
	}
	if perSecond[0] == 0 && mean(perSecond) == 0 {
		return nil // nothing ok: said elsewhere
	}
	middle, last := max(mean(perSecond[n/3:2*n/3]), 1), mean(perSecond[2*n/3:])
	changing := s.Open && len(s.Rate) > 0 && p.Steps[0].Rate.Over > 0
	if change := (last - middle) / middle; !changing && (change > unsettledBy || change < -unsettledBy) {
		return &result.Mark{Kind: "unsettled", Bad: true,
			Text: fmt.Sprintf("throughput never settled: %.0f/s in the middle third, %.0f/s in the last (%+.0f %%)", middle, last, 100*change)}
	}
	return nil
}

func mean(list []float64) float64 {
	sum := 0.0
	for _, v := range list {
		sum += v
	}
	return sum / float64(len(list))
}

func pauseMark(_ *plan.Phase, s *result.Step) *result.Mark {
	if s.Client.GCPauseMax <= longPause {
		return nil
	}
	return &result.Mark{Kind: "client-paused",
		Text: fmt.Sprintf("kvscen's garbage collector stopped it for up to %v, %d pauses", s.Client.GCPauseMax.Round(100*time.Microsecond), s.Client.GCPauses)}
}

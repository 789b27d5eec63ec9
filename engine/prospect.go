package engine

import (
	"slices"
	"time"

	"github.com/kvscen/kvscen/engine/load"
	"github.com/kvscen/kvscen/internal/result"
)

// exact is the share of a latency in a histogram that is surely reached: its bins
// are as wide as a thousandth.
const exact = 0.999

// prospect asks the judge, once phases have ended, whether the run can still
// pass. The error ends the cluster.
func (s *session) prospect() error {
	judge := s.c.cfg.Judge
	if judge == nil {
		return nil
	}
	sofar := *s.c.run
	sofar.Clusters = append(slices.Clone(sofar.Clusters), s.finished())
	if why := judge.Ended(&sofar); why != "" {
		s.giveUp(why)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hopeless == "" {
		return nil
	}
	return failed(result.StatusCheck, "ended by --abort-on-expect: %s", s.hopeless)
}

// giveUp ends the phases under way, as what is expected can't be met any more.
func (s *session) giveUp(why string) {
	s.mu.Lock()
	if s.hopeless == "" {
		s.hopeless = why
	}
	running := slices.Clone(s.running)
	s.mu.Unlock()
	for _, p := range running {
		p.stop(load.EndExpect)
	}
}

// watchFailed lets the judge see how many requests of a step have failed.
func (r *phaseRun) watchFailed(step int, p load.Progress) {
	m := r.moment(step)
	m.StepFailed = p.Lost
	m.Failed = p.Lost
	for i := range r.result.Steps {
		m.Failed += r.result.Steps[i].Counts.Failed
	}
	r.ask(m)
}

// watchSlowest lets the judge see the slowest request of a second.
func (r *phaseRun) watchSlowest(step int, i load.Interval) {
	if i.Hist == nil || i.Hist.TotalCount() == 0 {
		return
	}
	m := r.moment(step)
	m.Op, m.Slowest = r.result.Ops[i.Op].Name, time.Duration(exact*float64(i.Hist.Max()))
	r.ask(m)
}

func (r *phaseRun) moment(step int) result.Moment {
	return result.Moment{
		Cluster: r.s.plan.Cluster.Label, Phase: r.plan.Name, Step: step, Open: !r.plan.Steps[step].Rate.Closed(),
	}
}

// ask ends the run where the judge sees no prospect in what goes on.
func (r *phaseRun) ask(m result.Moment) {
	judge := r.s.c.cfg.Judge
	if judge == nil {
		return
	}
	if why := judge.UnderWay(m); why != "" {
		r.s.giveUp(why)
	}
}

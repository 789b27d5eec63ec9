package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/engine/load"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// session is one repetition on one cluster: it brings the cluster up, runs the
// phases on it, and stops it.
type session struct {
	c      *conductor
	plan   *plan.Run
	rep    int
	driver drivers.Driver
	spec   drivers.Spec
	states []*load.KeyState
	up     *up // nil: no cluster is up
	ups    int // clusters that were up before: fresh phases

	mu      sync.Mutex
	result  result.Cluster
	running []*phaseRun
	dead    error // a member died
	// hopeless is why what is expected can't be met any more; empty: it still can.
	hopeless string
}

func newSession(c *conductor, p *plan.Run, repetition int) *session {
	s := &session{c: c, plan: p, rep: repetition, driver: c.cfg.Drivers[p.Cluster.Driver]}
	s.result = result.Cluster{Label: p.Cluster.Label, Driver: p.Cluster.Driver, Repetition: repetition}
	if s.driver != nil {
		s.spec = s.driver.Spec()
		s.spec = s.spec.With(s.options())
		s.result.InProcess = s.spec.InProcess
	}
	return s
}

// label names the session to a person.
func (s *session) label() string {
	if s.c.plan.Repeat > 1 {
		return fmt.Sprintf("%s, run %d", s.plan.Cluster.Label, s.rep+1)
	}
	return s.plan.Cluster.Label
}

// name names the session's files.
func (s *session) name() string {
	if s.c.plan.Repeat > 1 {
		return fmt.Sprintf("%s.run%d", s.plan.Cluster.Label, s.rep+1)
	}
	return s.plan.Cluster.Label
}

// note tells the observer of something that happened in this session.
func (s *session) note(e Event) {
	e.Cluster, e.Repetition = s.plan.Cluster.Label, s.rep
	s.c.notes.send(e)
}

// event keeps something for the result, and tells the observer.
func (s *session) event(kind, member, text string) {
	e := result.Event{At: time.Now(), Member: member, Kind: kind, Text: text}
	s.mu.Lock()
	s.result.Events = append(s.result.Events, e)
	s.mu.Unlock()
	s.note(Event{At: e.At, Kind: KindWarning, Text: text})
}

// finished is the result, once nothing runs any more.
func (s *session) finished() result.Cluster {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.result
}

// carryOut runs all phases. The cluster is stopped at the end in any case.
func (s *session) carryOut(ctx context.Context) (err error) {
	if s.driver == nil {
		return failed(result.StatusSetup, "no driver is called %q", s.plan.Cluster.Driver)
	}
	defer func() {
		if stopErr := s.bringDown(ctx); err == nil {
			err = stopErr
		}
	}()
	for i := range s.plan.Groups {
		group := &s.plan.Groups[i]
		if err := s.ensure(ctx, group); err != nil {
			return err
		}
		if err := s.runGroup(ctx, group, i); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// ensure brings a cluster up if none is, and a new one for a fresh phase.
func (s *session) ensure(ctx context.Context, g *plan.Group) error {
	fresh := slices.ContainsFunc(g.Phases, func(p plan.Phase) bool { return p.Fresh })
	if s.up != nil && !fresh {
		return nil
	}
	if err := s.bringDown(ctx); err != nil {
		return err
	}
	s.states = load.NewKeyStates(s.c.plan.Keys)
	return s.bringUp(ctx)
}

// died ends the phases under way: what they would measure is not what was asked.
func (s *session) died(err error) {
	s.mu.Lock()
	s.dead = cmp.Or(s.dead, err) // the others may have followed from the first
	running := slices.Clone(s.running)
	s.mu.Unlock()
	for _, p := range running {
		p.stop(load.EndMember)
	}
}

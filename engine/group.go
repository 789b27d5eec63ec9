package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/kvscen/kvscen/engine/load"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// runGroup runs the phases of a group at the same time: they start when all are
// connected, and those in the background end with the others.
func (s *session) runGroup(ctx context.Context, g *plan.Group, index int) error {
	runs := make([]*phaseRun, len(g.Phases))
	for i := range g.Phases {
		p, err := s.newPhaseRun(&g.Phases[i], index)
		if err != nil {
			return failed(result.StatusRun, "%w", err)
		}
		defer p.load.Close()
		runs[i] = p
	}
	if err := s.enter(runs); err != nil {
		return err
	}
	defer s.leave()
	if err := connect(ctx, runs); err != nil {
		return failed(result.StatusRun, "connecting: %w", err)
	}
	errs := make([]error, len(runs))
	var foreground, all sync.WaitGroup
	for i, p := range runs {
		run := func() { errs[i] = p.run(ctx) }
		all.Go(run)
		if !p.plan.Background {
			foreground.Go(func() { <-p.ended })
		}
	}
	foreground.Wait()
	for _, p := range runs {
		if p.plan.Background {
			p.stop(load.EndParallel)
		}
	}
	all.Wait()
	for _, p := range runs {
		s.keep(p)
	}
	s.mu.Lock()
	err := errors.Join(append([]error{s.dead}, errs...)...)
	s.mu.Unlock()
	if err != nil || ctx.Err() != nil {
		return err
	}
	return s.prospect()
}

// enter makes the phases known to those who may have to stop them.
func (s *session) enter(runs []*phaseRun) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running = runs
	return s.dead
}

func (s *session) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running = nil
}

// connect prepares the first step of each phase.
func connect(ctx context.Context, runs []*phaseRun) error {
	var wg sync.WaitGroup
	errs := make([]error, len(runs))
	for i, p := range runs {
		wg.Go(func() { p.first, errs[i] = p.load.Prepare(ctx, 0) })
	}
	wg.Wait()
	err := errors.Join(errs...)
	if err != nil {
		for _, p := range runs {
			if p.first != nil {
				p.first.Close()
			}
		}
	}
	return err
}

// keep adds a phase that has ended to the result.
func (s *session) keep(p *phaseRun) {
	if len(p.samples) > 0 {
		name := fmt.Sprintf("%s.%s", s.name(), p.plan.Name)
		at, err := s.c.out.samples(name, p.samples)
		if err != nil {
			s.note(Event{Kind: KindWarning, Phase: p.plan.Name, Text: err.Error()})
		}
		p.result.SamplesFile = at
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.result.Phases = append(s.result.Phases, p.result)
}

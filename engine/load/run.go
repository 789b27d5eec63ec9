package load

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Run sends the step's requests and waits for those under way at its end. When
// ctx ends no more are sent. The connections stay open until Close. An error
// means that requests never came back although their connections were closed;
// what was measured is given all the same.
func (s *Step) Run(ctx context.Context) (*Outcome, error) {
	s.begin()
	defer context.AfterFunc(ctx, func() { s.Stop(EndInterrupt) })()

	// Requests under way outlive ctx: they are awaited and counted.
	sending, abandon := context.WithCancel(context.WithoutCancel(ctx))
	defer abandon()
	done := s.launch(sending)
	col := newCollector(s.stage.recorder, s.onInterval())
	stuck := s.attend(done, col, abandon)
	out, err := s.outcome(col)
	s.reportTotals()
	if err == nil {
		err = stuck
	}
	return out, err
}

// begin starts the step's clock.
func (s *Step) begin() {
	s.mu.Lock()
	s.stage.start = time.Now()
	s.mu.Unlock()
	if s.phase.start.IsZero() {
		s.phase.start = s.stage.start
	}
}

// launch starts all runners, and the dispatcher where clients wait for a
// schedule. The channel is closed when all of them have ended.
func (s *Step) launch(ctx context.Context) <-chan struct{} {
	var runners, dispatcher sync.WaitGroup
	for _, r := range s.runners {
		runners.Go(func() { r.run(ctx, s.stage) })
	}
	if s.pacer != nil {
		dispatcher.Go(func() { s.stage.schedule.dispatch(s.stage.since, s.stage.sleep) })
	}
	done := make(chan struct{})
	go func() {
		runners.Wait()
		s.stage.schedule.end()
		dispatcher.Wait()
		close(done)
	}()
	return done
}

const (
	slack   = time.Second     // for requests to come back, beyond their timeout
	lastGap = 5 * time.Second // for requests to come back, once their connection is closed
)

// attend waits until all requests have come back, and collects finished seconds
// meanwhile. What is not back in time loses its context, then its connection.
func (s *Step) attend(done <-chan struct{}, col *collector, abandon func()) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	stop := s.stage.schedule.stop
	var late <-chan time.Time
	for {
		select {
		case <-done:
			return nil
		case <-tick.C:
			s.tick(col)
			if late == nil && s.stage.since() > s.stage.schedule.cut {
				late = time.After(s.stage.timeout + slack)
			}
		case <-stop:
			stop = nil
			late = time.After(s.stage.timeout + slack)
		case <-late:
			abandon()
			s.Close()
			select {
			case <-done:
				return nil
			case <-time.After(lastGap):
				return fmt.Errorf("phase %s: requests did not come back within %v of their timeout, nor when their connections were closed",
					s.phase.cfg.Phase.Name, slack+lastGap)
			}
		}
	}
}

// behind is how long after its end a second is collected: a client may be held
// up between the end of its request and its record.
const behind = 100 * time.Millisecond

// tick collects, reports progress, and ends a step that has no prospect.
func (s *Step) tick(col *collector) {
	rec := s.stage.recorder
	now := s.stage.since()
	if origin := rec.origin.Load(); origin >= 0 {
		col.collect(int64(now-behind-time.Duration(origin)) / int64(time.Second))
	}
	p := col.progress(now)
	if rec.maxShare >= 0 && float64(p.Failed) > rec.maxShare*float64(p.Attempted) {
		s.Stop(EndMaxErrors)
	}
	if !p.AnyOK && p.Failed > 0 && now > max(3*s.stage.timeout, hopeless) {
		s.Stop(EndNothingOK)
	}
	if report := s.phase.cfg.OnProgress; report != nil {
		report(s.index, p)
	}
	s.reportTotals()
}

// hopeless is how long a step goes on at least in which every request fails.
const hopeless = 15 * time.Second

func (s *Step) onInterval() func(Interval) {
	report := s.phase.cfg.OnInterval
	if report == nil {
		return nil
	}
	return func(i Interval) { report(s.index, s.stage.start, i) }
}

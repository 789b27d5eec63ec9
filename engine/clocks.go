package engine

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/kvscen/kvscen/internal/host"
	"github.com/kvscen/kvscen/internal/result"
)

// unsureClock is the uncertainty of an offset above which times of that machine
// are not to be compared with ours.
const unsureClock = 10 * time.Millisecond

// compareClocks keeps and tells how far the clocks of the members' machines are
// ahead of ours. Samples do not need it: they have our time, since we ask for
// them; the times in the members' logs do. A machine that is lost has been
// reported.
func (s *session) compareClocks(ctx context.Context, u *up) {
	machines := u.machines()
	clocks, errs := make([]host.Clock, len(machines)), make([]error, len(machines))
	var all sync.WaitGroup
	for i, r := range machines {
		if r.Err() == nil {
			all.Go(func() { clocks[i], errs[i] = r.Clock(ctx) })
		}
	}
	all.Wait()
	for i, r := range machines {
		switch c := clocks[i]; {
		case r.Err() != nil:
		case errs[i] != nil:
			s.note(Event{Kind: KindWarning, Text: errs[i].Error()})
		default:
			s.keepClock(result.Clock{Host: r.Name(), At: time.Now(), Offset: c.Offset, Bound: c.Bound})
		}
	}
}

func (s *session) keepClock(c result.Clock) {
	s.mu.Lock()
	s.result.Clocks = append(s.result.Clocks, c)
	s.mu.Unlock()
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	text := fmt.Sprintf("the clock of %s is %+.2f ms from ours, give or take %.2f ms", c.Host, ms(c.Offset), ms(c.Bound))
	kind := KindSetup
	if c.Bound > unsureClock {
		kind = KindWarning
		text += ": too unsure to compare its times with ours"
	}
	s.note(Event{Kind: kind, Text: text})
}

package load

import (
	"context"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// piped is a loop that carries many clients over one pipe. Each client has a
// slot; Op.Tag is its number.
type piped struct {
	pipe     drivers.Pipe
	slots    []slot
	free     []*slot
	early    *slot // has claimed a request that is not due yet
	underWay int
	shard    *recorderShard
	ended    []*drivers.Op // room for what is reaped at once
}

type slot struct {
	op         drivers.Op
	gen        *generator
	n          uint64
	due, start time.Duration
}

// idle is how long a loop waits at most before it looks whether the step has
// been stopped.
const idle = 50 * time.Millisecond

func (p *piped) run(ctx context.Context, s *stage) {
	for more := true; more || p.underWay > 0; {
		if more {
			more = p.feed(s)
		}
		if ctx.Err() != nil {
			return
		}
		p.reap(ctx, s)
	}
}

// feed submits what is due, as far as clients are free. It reports false when
// there are no more requests.
func (p *piped) feed(s *stage) (more bool) {
	now := s.since()
	sent := false
	for more = true; more; {
		sl := p.early
		if p.early = nil; sl == nil {
			if sl, more = p.claim(s, now); sl == nil {
				break
			}
		}
		if sl.due > now {
			if more = !s.schedule.stopped.Load(); more {
				p.early = sl
			} else {
				p.free = append(p.free, sl)
			}
			break
		}
		p.submit(s, sl)
		sent = true
	}
	if sent {
		_ = p.pipe.Flush() // what could not be sent comes back from Reap, as failed
	}
	return more
}

// claim gives a free slot the next request. It returns nil where none is free,
// and where there are no more requests.
func (p *piped) claim(s *stage, now time.Duration) (sl *slot, more bool) {
	if len(p.free) == 0 {
		return nil, true
	}
	last := len(p.free) - 1
	sl = p.free[last]
	if s.schedule.pacer == nil {
		sl.n, more = s.schedule.claimNow(now)
		sl.due = 0
	} else {
		sl.n, sl.due, more = s.schedule.claim(now, nil)
	}
	if !more {
		return nil, false
	}
	p.free = p.free[:last]
	sl.gen.fill(&sl.op, s.number(sl.n))
	return sl, true
}

func (p *piped) submit(s *stage, sl *slot) {
	sl.start = s.since()
	if s.schedule.pacer == nil {
		sl.due = sl.start
	}
	sl.op.Deadline = s.start.Add(sl.start + s.timeout)
	p.underWay++
	if err := p.pipe.Submit(&sl.op); err != nil {
		p.finish(s, sl, s.since(), err)
	}
}

// reap takes what has ended, and waits for it no longer than until the next
// request is due.
func (p *piped) reap(ctx context.Context, s *stage) {
	wait := idle
	if p.early != nil {
		wait = min(max(p.early.due-s.since(), 0), idle)
	}
	if p.underWay == 0 {
		s.sleep(wait)
		return
	}
	k, err := p.pipe.Reap(ctx, p.ended, wait)
	if err != nil && k == 0 {
		s.sleep(min(wait, nearby)) // it will fail again: not in a hot loop
	}
	end := s.since()
	for _, op := range p.ended[:k] {
		p.finish(s, &p.slots[op.Tag], end, op.Err)
	}
}

func (p *piped) finish(s *stage, sl *slot, end time.Duration, err error) {
	p.underWay--
	if err == nil {
		err = sl.gen.check(&sl.op)
	}
	s.recorder.record(p.shard, sl.n, sl.due, sl.start, end, &sl.op, err)
	sl.gen.done(sl.op.Spec)
	p.free = append(p.free, sl)
}

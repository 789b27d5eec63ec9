package load

import (
	"context"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// A runner carries virtual clients until the schedule has no more requests for
// them. There are two: a goroutine a client, and one loop over a pipe that
// carries many.
type runner interface {
	run(ctx context.Context, s *stage)
}

// stage is what the runners of a step share.
type stage struct {
	start    time.Time // of the step; carries a monotonic reading
	timeout  time.Duration
	schedule *schedule
	recorder *recorder
	first    uint64              // number in the phase of the schedule's request 0
	stride   uint64              // client machines that share the schedule
	sleep    func(time.Duration) // precise
}

// number is the number in the phase of the schedule's request n.
func (s *stage) number(n uint64) uint64 { return s.first + n*s.stride }

// since is the time on the step's clock.
func (s *stage) since() time.Duration { return time.Since(s.start) }

// blocking is one client on a goroutine of its own.
type blocking struct {
	client drivers.Client
	gen    *generator
	shard  *recorderShard
	op     drivers.Op
	renew  time.Duration // when the deadline in op is too old
	wake   chan bool     // open loop
}

func (b *blocking) run(ctx context.Context, s *stage) {
	if s.schedule.pacer == nil {
		b.closed(ctx, s)
	} else {
		b.open(ctx, s)
	}
}

// closed sends one request after the other. The clock is read twice a request:
// the end of one is the time at which the next is claimed.
func (b *blocking) closed(ctx context.Context, s *stage) {
	now := s.since()
	for {
		n, ok := s.schedule.claimNow(now)
		if !ok {
			return
		}
		b.gen.fill(&b.op, s.number(n))
		start := s.since()
		now = b.send(ctx, s, n, start, start)
	}
}

// open sends requests when they are due, or as soon after as it is free.
func (b *blocking) open(ctx context.Context, s *stage) {
	now := s.since()
	for {
		n, due, ok := s.schedule.claim(now, b.wake)
		if !ok {
			return
		}
		b.gen.fill(&b.op, s.number(n)) // before the wait, so that it makes no one late
		if due > now && !<-b.wake {
			return
		}
		now = b.send(ctx, s, n, due, s.since())
	}
}

func (b *blocking) send(ctx context.Context, s *stage, n uint64, due, start time.Duration) time.Duration {
	if start >= b.renew {
		b.op.Deadline = s.start.Add(start + s.timeout)
		b.renew = start + s.timeout/deadlineGrain
	}
	err := b.client.Do(ctx, &b.op)
	end := s.since()
	if err == nil {
		err = b.gen.check(&b.op)
	}
	s.recorder.record(b.shard, n, due, start, end, &b.op, err)
	b.gen.done(b.op.Spec)
	return end
}

// deadlineGrain is the part of the timeout by which a deadline may be early: a
// client whose requests are shorter uses one for several, for making it is a
// tenth of what a request costs here.
const deadlineGrain = 4096

package load

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// Step is a step with its connections open and its clients bound.
type Step struct {
	phase   *Phase
	plan    *plan.Step
	specs   []drivers.OpSpec
	index   int
	conns   []drivers.Conn
	runners []runner
	stage   *stage
	pacer   Pacer         // nil: closed loop
	local   uint64        // requests asked of this client machine; 0: no number
	end     time.Duration // of the schedule, without the grace; MaxInt64: open end

	closing sync.Once
	mu      sync.Mutex
	reason  string        // why it was stopped
	stopped time.Duration // when
}

// Reasons why a step ended.
const (
	EndRequests  = "requests"
	EndDuration  = "duration"
	EndSchedule  = "schedule" // its last request was due and its timeout had passed
	EndMaxErrors = "max_errors"
	EndNothingOK = "nothing_ok"
	EndInterrupt = "interrupt"
	EndMember    = "member"
	EndParallel  = "parallel"
	EndExpect    = "expect" // an expectation can't be met any more
)

const (
	grace    = 50 * time.Millisecond // for late requests, after the end of a schedule
	dialling = 64                    // connections that are opened at the same time
)

func (s *Step) dial(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	n := s.plan.Connections
	s.conns = make([]drivers.Conn, n)
	room := make(chan struct{}, dialling)
	var wg sync.WaitGroup
	for i := range n {
		room <- struct{}{}
		wg.Go(func() {
			defer func() { <-room }()
			if ctx.Err() != nil {
				return
			}
			conn, err := s.phase.cfg.Dial(ctx, i, n)
			if err != nil {
				cancel(fmt.Errorf("connection %d of %d: %w", i+1, n, err))
				return
			}
			s.conns[i] = conn
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// equip makes the schedule and the recorder.
func (s *Step) equip() {
	cfg := &s.phase.cfg
	timeout := cfg.Phase.Timeout
	count := uint64(cfg.Count)
	if all := s.plan.Requests; all > uint64(cfg.Index) {
		s.local = (all - uint64(cfg.Index) + count - 1) / count
	}
	s.end = math.MaxInt64
	if s.plan.Duration > 0 {
		s.end = s.plan.Duration
	}
	cut := s.end
	if s.pacer = newPacer(s.plan); s.pacer != nil {
		s.pacer = shard{s.pacer, uint64(cfg.Index), count}
		if n := s.local; n > 0 {
			if last, more := s.pacer.At(n - 1); more && last < math.MaxInt64-timeout {
				s.end = last + timeout
			}
		}
		cut = s.end
		if cut < math.MaxInt64-grace {
			cut += grace
		}
	}
	rec := newRecorder(shardsFor(s.plan.Clients), cfg.Names, s.pacer != nil)
	s.warmup(rec)
	rec.limit(cfg.Phase.MaxErrors, s.local, func() { s.Stop(EndMaxErrors) })
	if n := cfg.Phase.Requests; n > 0 && (cfg.Phase.Samples || n <= result.MaxSamples) {
		rec.keep(s.local)
	}
	rec.needs = s.needs()
	s.stage = &stage{
		timeout:  timeout,
		schedule: newSchedule(s.pacer, s.local, cut),
		recorder: rec,
		first:    s.phase.first,
		stride:   count,
		sleep:    cfg.Sleep,
	}
}

// warmup tells the recorder which requests come before the measured part.
func (s *Step) warmup(rec *recorder) {
	w := s.phase.cfg.Phase.Warmup
	switch {
	case s.index > 0:
	case w.Requests > 0:
		rec.warmCount = (w.Requests + uint64(s.phase.cfg.Count) - 1) / uint64(s.phase.cfg.Count)
	case s.pacer != nil:
		rec.warmCount = dueBefore(s.pacer, w.Duration)
	default:
		rec.warmUntil = w.Duration
	}
}

// bind makes the clients, each on its connection in turn. A connection that can
// be a pipe carries its clients in one loop, if it has more than one.
func (s *Step) bind() error {
	ops := s.specs
	clients := s.plan.Clients
	for i, conn := range s.conns {
		own := (clients - i + len(s.conns) - 1) / len(s.conns)
		if piper, ok := conn.(drivers.Piper); ok && own > 1 {
			p, err := s.pipe(piper, ops, own, i)
			if err != nil {
				return err
			}
			s.runners = append(s.runners, p)
			continue
		}
		for range own {
			b, err := s.blocking(conn, ops)
			if err != nil {
				return err
			}
			s.runners = append(s.runners, b)
		}
	}
	return nil
}

// needs is how many RPCs a request of each operation takes.
func (s *Step) needs() []int {
	list := make([]int, len(s.specs))
	for i, op := range s.specs {
		if list[i] = 1; s.phase.cfg.Needs != nil {
			list[i] = s.phase.cfg.Needs(op)
		}
	}
	return list
}

func (s *Step) blocking(conn drivers.Conn, ops []drivers.OpSpec) (*blocking, error) {
	client, err := conn.Client(ops)
	if err != nil {
		return nil, err
	}
	gen, err := s.phase.source.generator()
	if err != nil {
		return nil, err
	}
	return &blocking{client: client, gen: gen, shard: s.shard(len(s.runners)), wake: make(chan bool, 1)}, nil
}

func (s *Step) pipe(conn drivers.Piper, ops []drivers.OpSpec, clients, i int) (*piped, error) {
	pipe, err := conn.Pipe(ops, clients)
	if err != nil {
		return nil, err
	}
	p := &piped{pipe: pipe, slots: make([]slot, clients), shard: s.shard(i), ended: make([]*drivers.Op, clients)}
	for i := range p.slots {
		sl := &p.slots[i]
		sl.op.Tag = uint64(i)
		if sl.gen, err = s.phase.source.generator(); err != nil {
			return nil, err
		}
		p.free = append(p.free, sl)
	}
	return p, nil
}

func (s *Step) shard(i int) *recorderShard {
	shards := s.stage.recorder.shards
	return shards[i%len(shards)]
}

// Stop makes the step send no more. The first reason stands. Requests under way
// are awaited. It may be called at any time, from any goroutine.
func (s *Step) Stop(reason string) {
	s.mu.Lock()
	if s.reason == "" {
		s.reason = reason
		if !s.stage.start.IsZero() {
			s.stopped = s.stage.since()
		}
	}
	s.mu.Unlock()
	s.stage.schedule.end()
}

// Close ends pipes and connections, once.
func (s *Step) Close() { s.closing.Do(s.disconnect) }

func (s *Step) disconnect() {
	for _, r := range s.runners {
		if p, ok := r.(*piped); ok {
			_ = p.pipe.Close() // gives up what is under way; nothing can be done about an error
		}
	}
	var wg sync.WaitGroup
	for _, conn := range s.conns {
		if conn != nil {
			wg.Go(func() { _ = conn.Close() })
		}
	}
	wg.Wait()
}

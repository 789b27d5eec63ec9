package load

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// Config is what a phase needs.
type Config struct {
	Phase *plan.Phase
	Names []string                 // of its operations, unique
	Needs func(drivers.OpSpec) int // RPCs that a request takes when all goes well; nil: 1
	Seed  uint64
	Keys  []*KeyState // by plan.Draw.Keys
	// Dial opens connection i of the n of a step.
	Dial func(ctx context.Context, i, n int) (drivers.Conn, error)

	Index, Count int                 // this client machine's part of the load; 0 of 1 where Count is 0
	Sleep        func(time.Duration) // nil: as precise as the machine can

	OnInterval func(step int, start time.Time, i Interval) // each finished second of an operation; may be nil
	OnProgress func(step int, p Progress)                  // about once a second; may be nil
	OnTotals   func(step int, t Totals)                    // likewise, and at the step's end, when they are final; may be nil
}

// Progress is how a step stands, about once a second.
type Progress struct {
	Elapsed   time.Duration
	Attempted uint64
	Failed    uint64
	Lost      uint64        // Failed without those of the warm-up
	AnyOK     bool          // since the step's start
	OK        uint64        // in the last finished second
	P99       time.Duration // of the ok requests of that second
	Warmup    bool
}

// Phase is a phase under way: its steps are prepared and run one after the other.
type Phase struct {
	cfg    Config
	source *source
	start  time.Time // of the first step to run; zero: none has
	first  uint64    // number of the next step's first request
	spans  []span
}

// span is a run of sequential draws that an operation has reserved.
type span struct {
	state    *KeyState
	top      int // operation of the phase
	from     uint64
	reserved uint64
}

// NewPhase readies a phase and reserves the keys that it draws in sequence, so
// that phases which are made in order get their keys in order.
func NewPhase(cfg Config) (*Phase, error) {
	if cfg.Count == 0 {
		cfg.Index, cfg.Count = 0, 1
	}
	if cfg.Sleep == nil {
		cfg.Sleep = sleep
	}
	src, err := newSource(cfg.Phase, cfg.Seed, cfg.Keys)
	if err != nil {
		return nil, err
	}
	p := &Phase{cfg: cfg, source: src, first: uint64(cfg.Index)}
	src.eachOf(func(top int, op *plan.Op) {
		if op.Draw.Order != plan.OrderSequential {
			return
		}
		sp := span{state: cfg.Keys[op.Draw.Keys], top: top}
		sp.reserved = src.mix.Ranks(top, cfg.Phase.Requests)
		sp.from = sp.state.reserve(sp.reserved)
		src.bases[op] = sp.from
		p.spans = append(p.spans, sp)
	})
	return p, nil
}

// Start is when the first step began to send; zero before.
func (p *Phase) Start() time.Time { return p.start }

// Close gives back the keys that were reserved and not used.
func (p *Phase) Close() {
	for _, sp := range p.spans {
		sp.state.settle(sp.from, sp.reserved, p.source.mix.Ranks(sp.top, p.first-uint64(p.cfg.Index)))
		sp.state.ended()
	}
}

// Prepare dials the connections of a step and binds its clients. The context
// bounds the dialling alone.
func (p *Phase) Prepare(ctx context.Context, index int) (*Step, error) {
	step := &p.cfg.Phase.Steps[index]
	ops, err := specs(p.cfg.Phase.Ops)
	if err != nil {
		return nil, fmt.Errorf("phase %s: %w", p.cfg.Phase.Name, err)
	}
	s := &Step{phase: p, plan: step, specs: ops, index: index}
	if err := s.dial(ctx); err != nil {
		s.Close()
		return nil, err
	}
	s.equip()
	if err := s.bind(); err != nil {
		s.Close()
		return nil, fmt.Errorf("phase %s: %w", p.cfg.Phase.Name, err)
	}
	return s, nil
}

// Outcome is what a step yields. Of Result, usage and the client's health are
// left to the caller.
type Outcome struct {
	Result   result.Step
	Samples  iter.Seq[result.Sample] // nil: they were not kept
	From, To time.Time               // W
}

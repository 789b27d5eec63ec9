package load

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/mem"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// bench is a member of mem and the phases that are run on it, in virtual time
// where the test is in a bubble.
type bench struct {
	t      *testing.T
	driver *mem.Driver
	at     string
	keys   []plan.Keys
	states []*KeyState
	log    *requestLog // nil: requests are not looked at
}

func newBench(t *testing.T, options map[string]any, keys ...plan.Keys) *bench {
	t.Helper()
	d := mem.New()
	at, closeMember, err := d.Open(t.Context(), "", options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := closeMember(); err != nil {
			t.Error(err)
		}
	})
	if keys == nil {
		keys = []plan.Keys{{Count: 1_000_000, Size: 16, Encoding: "decimal"}}
	}
	return &bench{t: t, driver: d, at: at, keys: keys, states: NewKeyStates(keys)}
}

func (b *bench) dial(ctx context.Context, _, _ int) (drivers.Conn, error) {
	conn, err := b.driver.Dial(ctx, drivers.Target{Endpoint: b.at})
	if err != nil || b.log == nil {
		return conn, err
	}
	return b.log.over(conn), nil
}

// run sends a phase and returns what its steps yield. during is called with each
// step before it runs.
func (b *bench) run(p *plan.Phase, during func(*Step)) []*Outcome {
	b.t.Helper()
	if p.Timeout == 0 {
		p.Timeout = 5 * time.Second
	}
	names := make([]string, len(p.Ops))
	for i := range p.Ops {
		names[i] = p.Ops[i].Kind
	}
	phase, err := NewPhase(Config{Phase: p, Names: names, Seed: 1, Keys: b.states, Dial: b.dial, Sleep: time.Sleep})
	if err != nil {
		b.t.Fatal(err)
	}
	defer phase.Close()
	var all []*Outcome
	for i := range p.Steps {
		step, err := phase.Prepare(b.t.Context(), i)
		if err != nil {
			b.t.Fatal(err)
		}
		if during != nil {
			during(step)
		}
		out, err := step.Run(b.t.Context())
		step.Close()
		if err != nil {
			b.t.Fatal(err)
		}
		checkSums(b.t, &out.Result)
		all = append(all, out)
	}
	return all
}

// checkSums holds a step against the identities of result.Counts.
func checkSums(t *testing.T, r *result.Step) {
	t.Helper()
	for name, c := range map[string]result.Counts{"measured": r.Counts, "warm-up": r.Warmup} {
		if c.OK+c.Failed != c.Attempted || c.Attempted+c.Missed != c.Due || c.Asked > 0 && c.Due+c.Undue != c.Asked {
			t.Errorf("%s counts do not add up: %+v", name, c)
		}
	}
	var ok, failed, bySecond, classes uint64
	for _, s := range r.Series {
		ok, failed = ok+s.OK, failed+s.Failed
		for i := range s.Seconds.OK {
			bySecond += uint64(s.Seconds.OK[i]) + uint64(s.Seconds.Failed[i])
		}
		h := s.Service
		if h == nil || h.N != s.OK {
			t.Errorf("series %s: %d ok, but its histogram has %+v", s.Op, s.OK, h)
		}
	}
	for _, e := range r.Errors {
		classes += e.Count
	}
	if ok != r.Counts.OK || failed != r.Counts.Failed || bySecond != ok+failed || classes != failed {
		t.Errorf("series: %d ok, %d failed; %d by second; %d by class; counts %+v", ok, failed, bySecond, classes, r.Counts)
	}
}

func put(order string) plan.Op {
	return plan.Op{Kind: "put", Weight: 1, Draw: plan.Draw{Order: order},
		Value: &plan.Value{Size: plan.Size{Kind: "fixed", A: 64}}}
}

func get(order string) plan.Op {
	return plan.Op{Kind: "get", Weight: 1, Consistency: "linearizable", Draw: plan.Draw{Order: order, Constant: 0.99}}
}

// steps makes a phase of some clients a step, its requests shared out evenly.
func steps(requests uint64, connections int, op plan.Op, clients ...int) *plan.Phase {
	p := &plan.Phase{Name: "p", Ops: []plan.Op{op}, Requests: requests, MaxErrors: -1}
	for _, c := range clients {
		p.Steps = append(p.Steps, plan.Step{Clients: c, Connections: min(max(connections, 1), c), Requests: requests / uint64(len(clients))})
	}
	return p
}

// runners are the connections that make clients blocking (one each) or piped.
var runners = map[string]int{"blocking": math.MaxInt32, "piped": 2}

func eachRunner(t *testing.T, test func(t *testing.T, connections int)) {
	for name, connections := range runners {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { test(t, connections) })
		})
	}
}

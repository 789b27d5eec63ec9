package load

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"sync"
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

func TestClosedLoopCountsAndTimes(t *testing.T) {
	eachRunner(t, func(t *testing.T, connections int) {
		b := newBench(t, map[string]any{"service": 10 * time.Millisecond})
		r := b.run(steps(1000, connections, put("sequential"), 10), nil)[0].Result
		if r.Counts.OK != 1000 || r.Counts.Asked != 1000 || r.EndedBy != EndRequests {
			t.Errorf("ended by %s with %+v", r.EndedBy, r.Counts)
		}
		if w := r.To - r.From; w != time.Second { // 1000 requests / 10 clients * 10 ms
			t.Errorf("W is %v, want 1s", w)
		}
		h := r.Series[0].Service
		if h.Min != int64(10*time.Millisecond) || h.Max != int64(10*time.Millisecond) || h.Sum != uint64(10*time.Second) {
			t.Errorf("service times are %+v, want 10 ms each", h)
		}
		if r.Series[0].Written != 1000*(16+64) {
			t.Errorf("%d payload bytes written, want %d", r.Series[0].Written, 1000*(16+64))
		}
	})
}

func TestFewerRequestsThanClients(t *testing.T) {
	eachRunner(t, func(t *testing.T, connections int) {
		b := newBench(t, map[string]any{"service": time.Millisecond})
		for _, requests := range []uint64{1, 7, 50} {
			if r := b.run(steps(requests, connections, get("uniform"), 50), nil)[0].Result; r.Counts.OK != requests {
				t.Errorf("%d requests by 50 clients: %+v", requests, r.Counts)
			}
		}
	})
}

// open makes a phase of one step with a schedule.
func open(rate plan.Rate, clients, connections int, duration time.Duration, requests uint64) *plan.Phase {
	return &plan.Phase{Name: "p", Ops: []plan.Op{get("uniform")}, Requests: requests, MaxErrors: -1, Steps: []plan.Step{{
		Clients: clients, Connections: min(connections, clients), Rate: rate, Duration: duration, Requests: requests}}}
}

func TestOpenLoopKeepsItsSchedule(t *testing.T) {
	eachRunner(t, func(t *testing.T, connections int) {
		b := newBench(t, map[string]any{"service": 3 * time.Millisecond})
		r := b.run(open(plan.Rate{From: 1000, To: 1000}, 20, connections, 5*time.Second, 0), nil)[0].Result
		if r.Counts.Due != 5000 || r.Counts.OK != 5000 || r.Counts.Missed != 0 {
			t.Errorf("counts %+v, want 5000 due and ok", r.Counts)
		}
		if w := r.To - r.From; w != 4999*time.Millisecond+3*time.Millisecond {
			t.Errorf("W is %v, want 5.002s", w)
		}
		if h := r.Series[0].Response; h.Max != int64(3*time.Millisecond) || r.Lag.Max != 0 {
			t.Errorf("response up to %v, lag up to %v; want 3ms and 0", time.Duration(h.Max), time.Duration(r.Lag.Max))
		}
		if r.EndedBy != EndDuration {
			t.Errorf("ended by %s", r.EndedBy)
		}
	})
}

// A stall of the store must show in the response times of every request that was
// due in it, though only as many as there are clients could be sent.
func TestStallIsChargedToAllThatWereDue(t *testing.T) {
	eachRunner(t, func(t *testing.T, connections int) {
		b := newBench(t, map[string]any{"service": time.Millisecond, "stall_every": int64(1000), "stall_for": time.Second})
		r := b.run(open(plan.Rate{From: 100, To: 100}, 4, connections, 20*time.Second, 0), nil)[0].Result
		s := r.Series[0]
		slow := uint64(0)
		hdr, err := s.Response.HDR()
		if err != nil {
			t.Fatal(err)
		}
		for _, bar := range hdr.Distribution() {
			if bar.From > int64(100*time.Millisecond) {
				slow += uint64(bar.Count)
			}
		}
		// The stall comes once, at 10 s, and lasts 1 s: of the 100 requests due
		// in it about 90 respond later than 0.1 s.
		if r.Counts.OK != 2000 || slow < 85 || slow > 100 {
			t.Errorf("%d ok, %d responses above 100 ms; want 2000 and about 90", r.Counts.OK, slow)
		}
		if over := r.Lag.Max; over < int64(900*time.Millisecond) {
			t.Errorf("the latest start was %v late, want about 1s", time.Duration(over))
		}
	})
}

func TestOverloadIsMissedExactly(t *testing.T) {
	eachRunner(t, func(t *testing.T, connections int) {
		b := newBench(t, map[string]any{"service": 10 * time.Millisecond})
		// 5 clients do 500 a second of the 1000 that are due, until 50 ms after the end.
		r := b.run(open(plan.Rate{From: 1000, To: 1000}, 5, connections, 2*time.Second, 0), nil)[0].Result
		if r.Counts.Due != 2000 || r.Counts.OK != 1025 || r.Counts.Missed != 975 {
			t.Errorf("counts %+v, want 2000 due, 1025 ok, 975 missed", r.Counts)
		}
		if r.Missed == nil || r.Missed.N != 975 || r.Missed.Max != int64(975*time.Millisecond) || r.Missed.Min != int64(time.Millisecond) {
			t.Errorf("missed are charged with %+v, want 975 of 1 to 975 ms", r.Missed)
		}
	})
}

func TestRateWithRequestsEndsAfterTheLastDue(t *testing.T) {
	eachRunner(t, func(t *testing.T, connections int) {
		b := newBench(t, map[string]any{"service": 10 * time.Millisecond})
		p := open(plan.Rate{From: 1000, To: 1000}, 5, connections, 0, 1000)
		p.Timeout = 500 * time.Millisecond
		// The last is due at 0.999 s; starting ends at 1.549 s, after 155 rounds of 5.
		r := b.run(p, nil)[0].Result
		if r.Counts.Due != 1000 || r.Counts.OK != 775 || r.Counts.Missed != 225 || r.Counts.Undue != 0 {
			t.Errorf("counts %+v, want 1000 due, 775 ok, 225 missed", r.Counts)
		}
	})
}

func TestWarmupIsCountedApart(t *testing.T) {
	tests := []struct {
		name   string
		phase  *plan.Phase
		warm   plan.Warmup
		wantOK uint64
		warmOK uint64
	}{
		{"count, closed", steps(1000, math.MaxInt32, get("uniform"), 10), plan.Warmup{Requests: 100}, 900, 100},
		{"duration, closed", steps(1000, math.MaxInt32, get("uniform"), 10), plan.Warmup{Duration: 195 * time.Millisecond}, 800, 200},
		{"count, open", open(plan.Rate{From: 100, To: 100}, 10, 10, 2*time.Second, 0), plan.Warmup{Requests: 30}, 170, 30},
		{"duration, open", open(plan.Rate{From: 100, To: 100}, 10, 10, 2*time.Second, 0), plan.Warmup{Duration: time.Second}, 100, 100},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, map[string]any{"service": 10 * time.Millisecond})
				tt.phase.Warmup = tt.warm
				r := b.run(tt.phase, nil)[0].Result
				if r.Counts.OK != tt.wantOK || r.Warmup.OK != tt.warmOK {
					t.Errorf("%d measured and %d warm-up, want %d and %d", r.Counts.OK, r.Warmup.OK, tt.wantOK, tt.warmOK)
				}
			})
		})
	}
}

func TestFailuresAreCountedByClass(t *testing.T) {
	tests := []struct {
		script map[string]any
		want   map[string]uint64
		took   time.Duration // of a failed request
	}{
		{map[string]any{"error_rate": 0.1}, map[string]uint64{"refused": 100}, time.Millisecond},
		{map[string]any{"loss_rate": 0.01}, map[string]uint64{"timeout": 10}, 100 * time.Millisecond},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.script), func(t *testing.T) {
			eachRunner(t, func(t *testing.T, connections int) {
				tt.script["service"] = time.Millisecond
				b := newBench(t, tt.script)
				p := steps(1000, connections, get("uniform"), 10)
				p.Timeout = 100 * time.Millisecond
				r := b.run(p, nil)[0].Result
				got := map[string]uint64{}
				for _, e := range r.Errors {
					got[e.Class] = e.Count
					if e.Sample == "" {
						t.Errorf("class %s has no text", e.Class)
					}
				}
				if !maps.Equal(got, tt.want) {
					t.Errorf("failed by class %v, want %v", got, tt.want)
				}
				if r.Failed.Min != int64(tt.took) || r.Failed.Max != int64(tt.took) {
					t.Errorf("failed requests took %v to %v, want %v", time.Duration(r.Failed.Min), time.Duration(r.Failed.Max), tt.took)
				}
			})
		})
	}
}

func TestMaxErrorsEndsAPhase(t *testing.T) {
	tests := []struct {
		max    float64
		failed uint64 // at least, and at most clients more
	}{{5, 6}, {0, 1}, {0.02, 21}}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.max), func(t *testing.T) {
			eachRunner(t, func(t *testing.T, connections int) {
				b := newBench(t, map[string]any{"service": time.Millisecond, "error_rate": 0.5})
				p := steps(1000, connections, get("uniform"), 4)
				p.MaxErrors = tt.max
				r := b.run(p, nil)[0].Result
				if r.EndedBy != EndMaxErrors || r.Counts.Failed < tt.failed || r.Counts.Failed > tt.failed+4 || r.Counts.Undue == 0 {
					t.Errorf("ended by %s with %+v", r.EndedBy, r.Counts)
				}
			})
		})
	}
}

func TestAStepWithoutProspectEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, map[string]any{"loss_rate": 1.0})
		r := b.run(steps(1_000_000, 1, get("uniform"), 10), nil)[0].Result
		if r.EndedBy != EndNothingOK || r.Counts.OK != 0 || r.To > time.Minute {
			t.Errorf("ended by %s at %v with %+v", r.EndedBy, r.To, r.Counts)
		}
	})
}

func TestStop(t *testing.T) {
	for name, p := range map[string]func(connections int) *plan.Phase{
		"closed": func(c int) *plan.Phase { return steps(1_000_000, c, get("uniform"), 10) },
		"open":   func(c int) *plan.Phase { return open(plan.Rate{From: 10, To: 10}, 10, c, time.Hour, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			eachRunner(t, func(t *testing.T, connections int) {
				b := newBench(t, map[string]any{"service": 10 * time.Millisecond})
				began := time.Now()
				r := b.run(p(connections), func(s *Step) {
					time.AfterFunc(2500*time.Millisecond, func() { s.Stop(EndInterrupt) })
				})[0].Result
				if r.EndedBy != EndInterrupt || r.Counts.OK == 0 || r.Counts.Missed != 0 {
					t.Errorf("ended by %s with %+v", r.EndedBy, r.Counts)
				}
				if took := time.Since(began); took > 2600*time.Millisecond {
					t.Errorf("it took %v to end", took)
				}
			})
		})
	}
}

// requestLog sees every request on its way to the store.
type requestLog struct {
	mu   sync.Mutex
	seen map[string]int
}

type loggedConn struct {
	drivers.Conn
	log *requestLog
}

type loggedClient struct {
	drivers.Client
	log *requestLog
}

func (l *requestLog) over(c drivers.Conn) drivers.Conn { return loggedConn{c, l} }

func (c loggedConn) Client(ops []drivers.OpSpec) (drivers.Client, error) {
	client, err := c.Conn.Client(ops)
	return loggedClient{client, c.log}, err
}

func (c loggedClient) Do(ctx context.Context, op *drivers.Op) error {
	h := fnv.New64a()
	h.Write(op.Value)
	c.log.mu.Lock()
	c.log.seen[fmt.Sprintf("%d %s %x", op.Spec, op.Key, h.Sum64())]++
	c.log.mu.Unlock()
	return c.Client.Do(ctx, op)
}

func TestTheSameRequestsForAnyNumberOfClients(t *testing.T) {
	mixed := func(clients ...int) *plan.Phase {
		p := steps(3000, math.MaxInt32, put("sequential"), clients...)
		p.Ops[0].Weight = 0.5
		hot := get("zipfian")
		hot.Draw.Scrambled, hot.Weight = true, 0.5
		hot.Draw.Keys = 1 // of its own: nobody inserts into it here
		p.Ops = append(p.Ops, hot)
		return p
	}
	requests := func(clients ...int) map[string]int {
		set := plan.Keys{Count: 10_000, Size: 16, Encoding: "decimal"}
		b := newBench(t, nil, set, set)
		b.log = &requestLog{seen: map[string]int{}}
		b.run(mixed(clients...), nil)
		return b.log.seen
	}
	one := requests(1)
	for _, clients := range [][]int{{7}, {100}, {3, 20, 1}} {
		if !maps.Equal(one, requests(clients...)) {
			t.Errorf("clients %v sent other requests than one client", clients)
		}
	}
}

func TestSequentialKeysGoOnOverStepsAndPhases(t *testing.T) {
	b := newBench(t, nil, plan.Keys{Count: 500, Size: 8, Encoding: "decimal"})
	b.log = &requestLog{seen: map[string]int{}}
	b.run(steps(300, math.MaxInt32, put("sequential"), 1, 10, 20), nil)
	second := steps(200, math.MaxInt32, put("sequential"), 7)
	second.Name = "second"
	b.run(second, nil)
	keys := map[string]int{}
	for line := range b.log.seen {
		var spec int
		var key, sum string
		fmt.Sscan(line, &spec, &key, &sum)
		keys[key]++
	}
	if len(keys) != 500 {
		t.Errorf("500 puts in sequence wrote %d keys", len(keys))
	}
}

func TestLatestFollowsTheInserts(t *testing.T) {
	b := newBench(t, nil, plan.Keys{Count: 100_000, Size: 16, Encoding: "decimal"})
	b.run(steps(10_000, 4, put("sequential"), 10), nil)
	p := steps(50_000, 4, put("sequential"), 10)
	p.Name, p.Ops[0].Weight = "mix", 0.05
	recent := get("latest")
	recent.Weight = 0.95
	p.Ops = append(p.Ops, recent)
	r := b.run(p, nil)[0].Result
	if g := r.Series[1]; g.Found != g.OK || g.OK != 50_000-r.Series[0].OK {
		t.Errorf("of %d gets of the latest keys %d found theirs", g.OK, g.Found)
	}
	if got, want := b.states[0].inserted.Load(), 10_000+r.Series[0].OK; got != want {
		t.Errorf("the watermark is at %d, want %d", got, want)
	}
}

func TestSamplesAreKeptForShortPhases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, map[string]any{"service": time.Millisecond})
		outs := b.run(steps(100, math.MaxInt32, get("uniform"), 2, 5), nil)
		next := uint64(0)
		for step, out := range outs {
			for _, s := range out.Samples {
				if s.N != next || s.Step != step || s.Service != time.Millisecond || s.Op != "get" {
					t.Fatalf("sample %d is %+v", next, s)
				}
				next++
			}
		}
		if next != 100 {
			t.Errorf("%d samples kept, want 100", next)
		}
	})
}

func TestSecondsAreOfCompletion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, map[string]any{"service": 10 * time.Millisecond})
		r := b.run(steps(3000, math.MaxInt32, get("uniform"), 10), nil)[0].Result
		sec := r.Series[0].Seconds
		// Requests complete at 10, 20 … 3000 ms: 99 rounds in second 0, for the
		// one at 1000 ms is in second 1.
		if got, want := fmt.Sprint(sec.OK), "[990 1000 1000 10]"; got != want {
			t.Errorf("ok by second %s, want %s", got, want)
		}
	})
}

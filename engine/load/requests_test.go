package load

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"sync"
	"testing"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/plan"
)

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

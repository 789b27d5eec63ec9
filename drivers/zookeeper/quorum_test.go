package zookeeper

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// tally counts the requests of one client.
type tally struct {
	ok, failed int
	classes    map[drivers.Class]int
	late       time.Duration // by which the slowest overran its deadline
	sample     error
}

// load creates keys of its own below "load" until stop is closed.
func load(ctx context.Context, client drivers.Client, name int, stop <-chan struct{}) tally {
	count := tally{classes: map[drivers.Class]int{}}
	for n := 0; ; n++ {
		select {
		case <-stop:
			return count
		default:
		}
		op := drivers.Op{Key: fmt.Appendf(nil, "load/%d-%d", name, n), Deadline: time.Now().Add(time.Second)}
		err := client.Do(ctx, &op)
		count.late = max(count.late, time.Since(op.Deadline))
		if err == nil {
			count.ok++
			continue
		}
		count.failed++
		count.classes[drivers.ClassOf(err)]++
		count.sample = err
		time.Sleep(10 * time.Millisecond) // fail_fast: there may be no session to wait for
	}
}

// TestQuorumLost kills two of three members under load, and starts them again. All
// failures are of the classes that say so, none overruns its deadline, and the
// store holds at least what was acknowledged and at most what was attempted.
func TestQuorumLost(t *testing.T) {
	t.Parallel()
	servers := startServers(t, 3)
	target := servers[0].target()
	target.Options = map[string]any{"fail_fast": true, "mode": modeCreate}
	stop := make(chan struct{})
	const clients = 6
	var counts [clients]tally
	var all sync.WaitGroup
	for i := range clients {
		client, err := dial(t, target).Client([]drivers.OpSpec{{Kind: drivers.Put}})
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() { counts[i] = load(t.Context(), client, i, stop) })
	}
	time.Sleep(time.Second)
	servers[1].process.Kill()
	servers[2].process.Kill()
	time.Sleep(3 * time.Second)
	servers[1].process.Restart(t)
	servers[2].process.Restart(t)
	servers[0].wait(t)
	time.Sleep(2 * time.Second) // some of them succeed again
	close(stop)
	all.Wait()
	var ok, failed int
	for i, c := range counts {
		ok, failed = ok+c.ok, failed+c.failed
		if n := c.classes[drivers.Unavailable] + c.classes[drivers.Timeout]; c.failed == 0 || n != c.failed || c.late > 10*time.Second {
			t.Errorf("client %d: %d failed, as %v, the slowest %v late; want all unavailable or timeout: %v", i, c.failed, c.classes, c.late, c.sample)
		}
	}
	op, err := do(t, dial(t, target), drivers.OpSpec{Kind: drivers.ListChildren, Consistency: linearizable}, drivers.Op{Key: []byte("load")})
	if err != nil || op.Count < ok || op.Count > ok+failed {
		t.Errorf("%d keys, %v; want %d, which were acknowledged, to %d, which were attempted", op.Count, err, ok, ok+failed)
	}
	t.Logf("%d ok, %d failed, %d keys; the last failure: %v", ok, failed, op.Count, counts[0].sample)
}

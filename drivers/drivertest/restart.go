package drivertest

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// testRestart stops a member under load and starts it again: requests fail, in
// time and as what they are, and then succeed again on the same connections.
func testRestart(s *suite) {
	if s.harness.Restart == nil {
		s.Skip("the harness can't restart a member")
	}
	const clients, limit = 8, 500 * time.Millisecond
	var ok, failed atomic.Int64
	var stop atomic.Bool
	var wg sync.WaitGroup
	for range clients {
		r := s.bind(s.conn, s.op(drivers.Put))
		wg.Go(func() {
			for !stop.Load() {
				start := time.Now()
				err := r.do(s.Context(), &drivers.Op{Key: s.key("k"), Deadline: start.Add(limit)})
				if d := time.Since(start); d > limit+slack {
					s.Errorf("a request took %v, its deadline was after %v", d, limit)
				}
				if err == nil {
					ok.Add(1)
					continue
				}
				failed.Add(1)
				s.failsAs(err, drivers.Unavailable, drivers.Timeout)
				time.Sleep(time.Millisecond)
			}
		})
	}
	grows := func(n *atomic.Int64, what string) {
		before := n.Load()
		if !waitUntil(s.Context(), 2*timeout, func() bool { return n.Load() > before+clients }) {
			s.Errorf("%s: %d requests ok, %d failed", what, ok.Load(), failed.Load())
		}
	}
	grows(&ok, "before the restart none succeeds")
	start := s.harness.Restart(s.T)
	grows(&failed, "with the member stopped none fails")
	start()
	grows(&ok, "after the restart none succeeds")
	stop.Store(true)
	wg.Wait()
}

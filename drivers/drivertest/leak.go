package drivertest

import (
	"runtime"

	"github.com/kvscen/kvscen/drivers"
)

// testCloseUnderLoad closes connections on which many write: every request
// returns, those that come later fail at once, and no goroutine is left.
func testCloseUnderLoad(s *suite) {
	const conns = 10
	before := runtime.NumGoroutine()
	soonest := timeout // of all closes: a machine may be late at some
	for range conns {
		conn := s.dial(s.target)
		t := s.writeWithin(conn, timeout) // a machine that is busy must not make one time out
		t.succeed("before the connection is closed")
		soonest = min(soonest, s.took(prompt, "Close under load", func() { conn.Close() }))
		t.fail("on a closed connection")
		t.end(drivers.Unavailable)
	}
	if soonest > prompt {
		s.Errorf("Close under load took %v at the best of %d times, want at most %v", soonest, conns, prompt)
	}
	// Some may belong to the system, or to a member in the test's own process; a
	// driver that leaves one behind leaves one for each connection.
	if !waitUntil(s.Context(), s.harness.Patience, func() bool { return runtime.NumGoroutine() < before+conns }) {
		stacks := make([]byte, 1<<16)
		s.Errorf("%d goroutines before, %d after %d connections were closed\n%s",
			before, runtime.NumGoroutine(), conns, stacks[:runtime.Stack(stacks, true)])
	}
}

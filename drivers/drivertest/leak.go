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
	for range conns {
		conn := s.dial(s.target)
		t := s.write(conn)
		t.succeed("before the connection is closed")
		s.within(prompt, "Close under load", func() { conn.Close() })
		t.fail("on a closed connection")
		t.end(drivers.Unavailable)
	}
	// Some may belong to the system, or to a member in the test's own process; a
	// driver that leaves one behind leaves one for each connection.
	if !waitUntil(s.Context(), timeout, func() bool { return runtime.NumGoroutine() < before+conns }) {
		stacks := make([]byte, 1<<16)
		s.Errorf("%d goroutines before, %d after %d connections were closed\n%s",
			before, runtime.NumGoroutine(), conns, stacks[:runtime.Stack(stacks, true)])
	}
}

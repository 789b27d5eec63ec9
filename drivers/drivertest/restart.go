package drivertest

// testRestart stops a member under load and starts it again: requests fail, in
// time and as what they are, then succeed again on the same connection, and what
// was acknowledged is there.
func testRestart(s *suite) {
	if s.harness.Restart == nil {
		s.Skip("the harness can't restart a member")
	}
	t := s.write(s.conn)
	t.succeed("before the restart")
	start := s.harness.Restart(s.T)
	t.fail("with the member stopped")
	start()
	t.succeed("after the restart")
	t.settle(s.conn)
}

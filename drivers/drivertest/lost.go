package drivertest

import "github.com/kvscen/kvscen/drivers"

// relayed dials the member through a relay.
func (s *suite) relayed() (*relay, drivers.Conn) {
	s.Helper()
	if !s.harness.Network {
		s.Skip("there is no network")
	}
	r := newRelay(s.T, s.target.Endpoint)
	target := s.target
	target.Endpoint = r.addr()
	return r, s.dial(target)
}

// testCut has the connection reset under load, twice, and every one that takes its
// place, until the network is mended.
func testCut(s *suite) {
	relay, conn := s.relayed()
	t := s.write(conn)
	for range 2 {
		t.succeed("before the connection is lost")
		relay.cut()
		t.fail("with the connection lost")
		relay.mend()
	}
	t.succeed("after the network is mended")
	t.settle(s.conn)
}

// testHalfOpen has the network drop every packet, so that nothing tells the client
// that its connection is lost, and then every packet of that one connection alone.
func testHalfOpen(s *suite) {
	relay, conn := s.relayed()
	t := s.write(conn)
	t.succeed("before the network is silent")
	relay.freeze()
	t.fail("with the network silent")
	relay.thaw()
	t.succeed("with the old connection dead, but a new one possible")
	t.settle(s.conn)
}

package drivertest

import (
	"context"
	"errors"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// hanging dials a member that takes requests and never answers them.
func (s *suite) hanging() drivers.Conn {
	s.Helper()
	switch {
	case s.harness.Hang != nil:
		return s.dial(s.harness.Hang(s.T))
	case !s.harness.Network:
		s.Skip("the harness has no member that hangs")
	}
	r := newRelay(s.T, s.target.Endpoint)
	target := s.target
	target.Endpoint = r.addr()
	conn := s.dial(target)
	r.freeze()
	return conn
}

// start carries out one request in the background, after a while in which it
// must not end.
func (s *suite) start(r runner, ctx context.Context, deadline time.Duration) <-chan error {
	s.Helper()
	ended := make(chan error, 1)
	go func() {
		op := drivers.Op{Key: s.key("k"), Deadline: time.Now().Add(deadline)}
		ended <- r.do(ctx, &op)
	}()
	select {
	case err := <-ended:
		s.Fatalf("a request to a member that hangs ended at once: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	return ended
}

// end waits for a request that must fail now. It may be called by any goroutine.
func (s *suite) end(ended <-chan error, what string) error {
	s.Helper()
	select {
	case err := <-ended:
		if err == nil {
			s.Errorf("%s: the request succeeded on a member that hangs", what)
		}
		return err
	case <-time.After(s.harness.Patience):
		s.Errorf("%s: Do has not returned after %v", what, s.harness.Patience)
	}
	return nil
}

func testCancel(s *suite) {
	conn := s.hanging()
	r := s.bind(conn, s.op(drivers.Get))
	var over context.Context
	s.promptly("cancelling", func() func() {
		ctx, cancel := context.WithCancel(s.Context())
		ended := s.start(r, ctx, timeout)
		over = ctx
		return func() {
			cancel()
			s.end(ended, "cancelling")
		}
	})
	s.promptly("a request under a context that has ended", func() func() {
		return func() {
			if err := r.do(over, &drivers.Op{Key: s.key("k")}); err == nil {
				s.Error("a request under a context that has ended succeeded")
			}
		}
	})
}

func testClose(s *suite) {
	const clients = 4
	s.promptly("Close with requests under way", func() func() {
		conn := s.hanging()
		var ended []<-chan error
		for range clients {
			ended = append(ended, s.start(s.bind(conn, s.op(drivers.Get)), s.Context(), timeout))
		}
		return func() {
			conn.Close()
			for _, e := range ended {
				s.failsAs(s.end(e, "closing"), drivers.Unavailable)
			}
		}
	})
}

func testClosedConnection(s *suite) {
	conn := s.dial(s.target)
	r := s.bind(conn, s.op(drivers.Get))
	if err := conn.Close(); err != nil {
		s.Errorf("close: %v", err)
	}
	s.promptly("a request on a closed connection", func() func() {
		return func() { s.failsAs(r.do(s.Context(), &drivers.Op{Key: s.key("k")}), drivers.Unavailable) }
	})
}

func testDeadline(s *suite) {
	conn := s.hanging()
	r := s.bind(conn, s.op(drivers.Get))
	const short = 150 * time.Millisecond
	for range 2 { // also after one that timed out
		s.within(short, "a request with a deadline", func() {
			op := drivers.Op{Key: s.key("k"), Deadline: time.Now().Add(short)}
			s.failsAs(r.do(s.Context(), &op), drivers.Timeout)
			if time.Now().Before(op.Deadline) {
				s.Errorf("a request failed before its deadline, %v after it began", short)
			}
		})
	}
}

// testDeadlinePast also checks that a request that comes too late does no harm
// to the next one.
func testDeadlinePast(s *suite) {
	s.needs(drivers.Put)
	r := s.bind(s.conn, s.op(drivers.Put))
	s.promptly("a request whose deadline has passed", func() func() {
		op := drivers.Op{Key: s.key("k"), Deadline: time.Now().Add(-time.Second)}
		return func() { s.failsAs(r.do(s.Context(), &op), drivers.Timeout) }
	})
	op := drivers.Op{Key: s.key("k")}
	if err := r.do(s.Context(), &op); err != nil {
		s.Errorf("the request after it: %v", err)
	}
}

func testUnknownOperation(s *suite) {
	if _, err := s.conn.Client([]drivers.OpSpec{{Kind: drivers.Get, Consistency: "no such consistency"}}); err == nil {
		s.Error("a client was bound to a consistency that the store does not have")
	}
	if _, err := s.conn.Client([]drivers.OpSpec{{Kind: drivers.Kind(200)}}); err == nil {
		s.Error("a client was bound to an operation that does not exist")
	}
	var e *drivers.Error
	if _, err := s.try(s.op(drivers.Get), drivers.Op{Key: s.key("k")}); errors.As(err, &e) {
		s.Errorf("the connection is unfit after a refused binding: %v", e)
	}
}

package drivertest

import (
	"context"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// pipe opens a pipe on a member that hangs and submits requests to it.
func (s *suite) pipe(conn drivers.Conn, ops []*drivers.Op) drivers.Pipe {
	s.Helper()
	piper, ok := conn.(drivers.Piper)
	if !ok {
		s.Skipf("%s has no pipe", s.spec.Name)
	}
	p, err := piper.Pipe([]drivers.OpSpec{s.op(drivers.Get)}, len(ops))
	if err != nil {
		s.Fatalf("open a pipe: %v", err)
	}
	s.Cleanup(func() { p.Close() })
	for _, op := range ops {
		op.Key, op.Deadline = s.key("k"), time.Now().Add(timeout)
		if err := p.Submit(op); err != nil {
			s.Fatalf("submit: %v", err)
		}
	}
	if err := p.Flush(); err != nil {
		s.Fatalf("flush: %v", err)
	}
	return p
}

func testPipeCancel(s *suite) {
	if _, ok := s.conn.(drivers.Piper); !ok {
		s.Skipf("%s has no pipe", s.spec.Name)
	}
	p := s.pipe(s.hanging(), []*drivers.Op{{}, {}})
	ctx, cancel := context.WithTimeout(s.Context(), 50*time.Millisecond)
	defer cancel()
	s.within(50*time.Millisecond+prompt, "Reap under a cancelled context", func() {
		var done [2]*drivers.Op
		if n, err := p.Reap(ctx, done[:], timeout); n != 0 || err == nil {
			s.Errorf("reap = %d, %v; want 0 and an error", n, err)
		}
	})
}

func testPipeClose(s *suite) {
	if _, ok := s.conn.(drivers.Piper); !ok {
		s.Skipf("%s has no pipe", s.spec.Name)
	}
	conn := s.hanging()
	p := s.pipe(conn, []*drivers.Op{{}, {}, {}})
	time.AfterFunc(50*time.Millisecond, func() { conn.Close() })
	s.within(50*time.Millisecond+prompt, "Reap on a connection that is closed", func() {
		var done [3]*drivers.Op
		for n := 0; n < len(done); {
			more, err := p.Reap(s.Context(), done[n:], timeout)
			if err != nil || more == 0 {
				s.Errorf("reap = %d, %v after %d requests; want all 3 back", more, err, n)
				return
			}
			n += more
		}
		for _, op := range done {
			s.failsAs(op.Err, drivers.Unavailable)
		}
	})
}

func testPipeWait(s *suite) {
	if _, ok := s.conn.(drivers.Piper); !ok {
		s.Skipf("%s has no pipe", s.spec.Name)
	}
	p := s.pipe(s.hanging(), []*drivers.Op{{}})
	for _, wait := range []time.Duration{0, 80 * time.Millisecond} {
		start := time.Now()
		s.within(wait, "Reap", func() {
			var done [1]*drivers.Op
			if n, err := p.Reap(s.Context(), done[:], wait); n != 0 || err != nil {
				s.Errorf("reap = %d, %v; want nothing", n, err)
			}
		})
		if d := time.Since(start); d < wait {
			s.Errorf("reap waited %v, want %v", d, wait)
		}
	}
}

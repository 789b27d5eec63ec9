package drivertest

import (
	"context"
	"errors"
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
	s.promptly("Reap under a cancelled context", func() func() {
		p := s.pipe(s.hanging(), []*drivers.Op{{}, {}})
		ctx, cancel := context.WithCancel(s.Context())
		reaped := reapAll(ctx, p, 2)
		return func() {
			cancel()
			if done, err := reaped(); len(done) != 0 || err == nil {
				s.Errorf("reap = %d, %v; want 0 and an error", len(done), err)
			}
		}
	})
}

func testPipeClose(s *suite) {
	if _, ok := s.conn.(drivers.Piper); !ok {
		s.Skipf("%s has no pipe", s.spec.Name)
	}
	s.promptly("Reap on a connection that is closed", func() func() {
		conn := s.hanging()
		reaped := reapAll(s.Context(), s.pipe(conn, []*drivers.Op{{}, {}, {}}), 3)
		return func() {
			conn.Close()
			done, err := reaped()
			if len(done) != 3 || err != nil {
				s.Errorf("reap = %d, %v; want all 3 back", len(done), err)
			}
			for _, op := range done {
				s.failsAs(op.Err, drivers.Unavailable)
			}
		}
	})
}

// reapAll reaps n requests in the background, until there is an error. It comes
// back when that is under way; what it returns waits for the end.
func reapAll(ctx context.Context, p drivers.Pipe, n int) func() ([]*drivers.Op, error) {
	done, ended := make([]*drivers.Op, n), make(chan error, 1)
	got := 0
	go func() {
		for got < n {
			more, err := p.Reap(ctx, done[got:], timeout)
			got += more
			if err == nil && more == 0 {
				err = errors.New("it gave nothing back in time")
			}
			if err != nil {
				ended <- err
				return
			}
		}
		ended <- nil
	}()
	time.Sleep(50 * time.Millisecond) // to be waiting in Reap by then
	return func() ([]*drivers.Op, error) {
		err := <-ended
		return done[:got], err
	}
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

package drivers

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestDeadlineContext lets requests go by in virtual time: each ends before its
// deadline, but the last, whichever way the deadlines move.
func TestDeadlineContext(t *testing.T) {
	for name, c := range map[string]struct {
		timeouts []time.Duration // of one request after the other
		takes    time.Duration   // each
	}{
		"the same":        {[]time.Duration{5, 5, 5, 5, 5, 5, 5, 5}, 2},
		"growing":         {[]time.Duration{3, 5, 10, 20}, 2},
		"shrinking":       {[]time.Duration{60, 30, 10, 3}, 2},
		"none in between": {[]time.Duration{5, 0, 5, 0, 5}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx := NewDeadlineContext(t.Context())
				for i, timeout := range c.timeouts {
					var deadline time.Time
					if timeout > 0 {
						deadline = time.Now().Add(timeout * time.Second)
					}
					ctx.Begin(deadline)
					if got, ok := ctx.Deadline(); !got.Equal(deadline) || ok != (timeout > 0) {
						t.Errorf("request %d: Deadline = %v, %v; want %v", i, got, ok, deadline)
					}
					if i == len(c.timeouts)-1 {
						break
					}
					time.Sleep(c.takes * time.Second)
					if err := ctx.Err(); err != nil {
						t.Fatalf("request %d of %v s ended after %v s: %v", i, int(timeout), int(c.takes), err)
					}
					ctx.End()
				}
				last, _ := ctx.Deadline()
				<-ctx.Done()
				if !time.Now().Equal(last) {
					t.Errorf("the last one ended %v after its deadline", time.Since(last))
				}
				if cause := context.Cause(ctx); !errors.Is(cause, context.DeadlineExceeded) {
					t.Errorf("cause = %v", cause)
				}
			})
		})
	}
}

func TestDeadlineContextIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := NewDeadlineContext(t.Context())
		ctx.Begin(time.Now().Add(time.Second))
		ctx.End()
		time.Sleep(time.Hour)
		if err := ctx.Err(); err != nil {
			t.Errorf("the context ended while no request was under way: %v", err)
		}
		ctx.Begin(time.Now().Add(time.Second))
		time.Sleep(time.Second)
		synctest.Wait()
		if ctx.Err() == nil {
			t.Error("after an idle time a deadline passed without effect")
		}
	})
}

func TestDeadlineContextFollowsPhase(t *testing.T) {
	phase, cancel := context.WithCancel(t.Context())
	ctx := NewDeadlineContext(phase)
	child, stop := context.WithCancel(ctx)
	defer stop()
	ctx.Begin(time.Now().Add(time.Hour))
	cancel()
	<-child.Done()
	ctx.End()
}

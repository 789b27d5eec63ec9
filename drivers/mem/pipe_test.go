package mem

import (
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// loop carries clients over one pipe until requests have ended, and counts the
// classes of those that failed.
func loop(t *testing.T, c *conn, clients, requests int, timeout time.Duration) map[string]int {
	t.Helper()
	p, err := c.Pipe(getOnly, clients)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	submit := func(op *drivers.Op) {
		op.Key, op.Deadline = []byte("k"), time.Now().Add(timeout)
		if err := p.Submit(op); err != nil {
			t.Fatal(err)
		}
	}
	for range clients {
		submit(&drivers.Op{})
	}
	classes := map[string]int{}
	done := make([]*drivers.Op, 16)
	for ended, sent := 0, clients; ended < requests; {
		n, err := p.Reap(t.Context(), done, time.Hour)
		if err != nil || n == 0 {
			t.Fatalf("reap = %d, %v after %d requests", n, err, ended)
		}
		ended += n
		for _, op := range done[:n] {
			if op.Err != nil {
				classes[drivers.ClassOf(op.Err).String()]++
			} else {
				classes["ok"]++
			}
			if sent < requests {
				sent++
				submit(op)
			}
		}
	}
	return classes
}

func TestPipeServiceTime(t *testing.T) {
	virtual(t, map[string]any{"service": 7 * ms}, func(t *testing.T, c *conn) {
		start := time.Now()
		if classes := loop(t, c, 100, 1000, time.Second); classes["ok"] != 1000 {
			t.Errorf("outcomes %v, want 1000 ok", classes)
		}
		if d := time.Since(start); d != 70*ms {
			t.Errorf("100 clients did 1000 requests of 7 ms in %v, want 70 ms", d)
		}
	})
}

func TestPipeFailures(t *testing.T) {
	options := map[string]any{"service": 5 * ms, "jitter": 2 * ms, "error_rate": 0.1, "loss_rate": 0.02}
	virtual(t, options, func(t *testing.T, c *conn) {
		classes := loop(t, c, 10, 1000, 500*ms)
		if classes["refused"] != 100 || classes["timeout"] != 20 || classes["ok"] != 880 {
			t.Errorf("outcomes %v, want 100 refused, 20 timeout, 880 ok", classes)
		}
	})
}

func TestPipeStall(t *testing.T) {
	options := map[string]any{"service": 10 * ms, "stall_every": int64(100), "stall_for": 200 * ms}
	virtual(t, options, func(t *testing.T, c *conn) {
		start := time.Now()
		loop(t, c, 10, 200, time.Second)
		if d := time.Since(start); d != 400*ms {
			t.Errorf("20 rounds and a stall took %v, want 400 ms", d)
		}
	})
}

func TestPipeIsFull(t *testing.T) {
	for _, options := range []map[string]any{{"keep": false}, {"service": time.Second}} {
		virtual(t, options, func(t *testing.T, c *conn) {
			p, err := c.Pipe(getOnly, 2)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 3 {
				op := &drivers.Op{Key: []byte("k"), Deadline: time.Now().Add(time.Minute)}
				if err := p.Submit(op); (err != nil) != (i == 2) {
					t.Errorf("%v: submit %d = %v", options, i, err)
				}
			}
		})
	}
}

func TestPipeClosedSpinsNot(t *testing.T) {
	virtual(t, nil, func(t *testing.T, c *conn) {
		p, err := c.Pipe(getOnly, 2)
		if err != nil {
			t.Fatal(err)
		}
		c.Close()
		if n, err := p.Reap(t.Context(), make([]*drivers.Op, 1), time.Hour); n != 0 || err == nil {
			t.Errorf("reap on a closed connection = %d, %v", n, err)
		}
	})
}

func TestSchedule(t *testing.T) {
	var s schedule
	for n := range uint64(1000) {
		s.push(attempt{end: time.Duration(unit(n) * 1e9)})
	}
	last := time.Duration(-1)
	for len(s) > 0 {
		if s[0].end < last {
			t.Fatalf("%v comes after %v", s[0].end, last)
		}
		last = s[0].end
		s.pop()
	}
}

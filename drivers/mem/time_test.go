package mem

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

const ms = time.Millisecond

// virtual runs a test in virtual time, with a connection to a member whose
// script is given by options.
func virtual(t *testing.T, options map[string]any, test func(t *testing.T, c *conn)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := New()
		c, err := d.Dial(t.Context(), open(t, d, options))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		test(t, c.(*conn))
	})
}

var getOnly = []drivers.OpSpec{{Kind: drivers.Get, Consistency: "linearizable"}}

// closedLoop sends n requests from each client and gives each one's duration,
// by client.
func closedLoop(t *testing.T, c *conn, clients, n int, timeout time.Duration) (took [][]time.Duration, classes map[string]int) {
	t.Helper()
	took, classes = make([][]time.Duration, clients), map[string]int{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range clients {
		client, err := c.Client(getOnly)
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			for range n {
				start := time.Now()
				err := client.Do(context.Background(), &drivers.Op{Key: []byte("k"), Deadline: start.Add(timeout)})
				took[i] = append(took[i], time.Since(start))
				outcome := "ok"
				if err != nil {
					outcome = drivers.ClassOf(err).String()
				}
				mu.Lock()
				classes[outcome]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return took, classes
}

func TestServiceTime(t *testing.T) {
	virtual(t, map[string]any{"service": 7 * ms}, func(t *testing.T, c *conn) {
		start := time.Now()
		took, classes := closedLoop(t, c, 10, 100, time.Second)
		if classes["ok"] != 1000 {
			t.Errorf("outcomes %v, want 1000 ok", classes)
		}
		for _, d := range took[3] {
			if d != 7*ms {
				t.Fatalf("a request took %v, want 7 ms", d)
			}
		}
		if d := time.Since(start); d != 700*ms {
			t.Errorf("100 requests after each other took %v, want 700 ms", d)
		}
	})
}

func TestFailures(t *testing.T) {
	options := map[string]any{"service": 5 * ms, "error_rate": 0.1, "loss_rate": 0.02, "keep": false}
	virtual(t, options, func(t *testing.T, c *conn) {
		took, classes := closedLoop(t, c, 1, 1000, 500*ms)
		if classes["refused"] != 100 || classes["timeout"] != 20 || classes["ok"] != 880 {
			t.Errorf("outcomes %v, want 100 refused, 20 timeout, 880 ok", classes)
		}
		for i, d := range took[0] {
			if d != 5*ms && d != 500*ms {
				t.Errorf("request %d took %v, want 5 ms or, lost, 500 ms", i, d)
			}
		}
	})
}

// TestLostIsCarriedOut: the answer is lost, not the write.
func TestLostIsCarriedOut(t *testing.T) {
	virtual(t, map[string]any{"loss_rate": 0.5}, func(t *testing.T, c *conn) {
		client, err := c.Client([]drivers.OpSpec{{Kind: drivers.Put}, getOnly[0]})
		if err != nil {
			t.Fatal(err)
		}
		put := drivers.Op{Key: []byte("k"), Value: []byte("v"), Deadline: time.Now().Add(time.Second)}
		if err := client.Do(t.Context(), &put); drivers.ClassOf(err) != drivers.Timeout {
			t.Fatalf("the first put: %v, want it lost", err)
		}
		get := drivers.Op{Spec: 1, Key: []byte("k"), Deadline: time.Now().Add(time.Second)}
		if err := client.Do(t.Context(), &get); err != nil || !get.Found {
			t.Errorf("get: found %v, %v", get.Found, err)
		}
	})
}

func TestServiceBeyondDeadline(t *testing.T) {
	virtual(t, map[string]any{"service": time.Second}, func(t *testing.T, c *conn) {
		took, classes := closedLoop(t, c, 1, 3, 30*ms)
		if classes["timeout"] != 3 || took[0][0] != 30*ms {
			t.Errorf("outcomes %v after %v, want timeouts after 30 ms", classes, took[0])
		}
	})
}

// TestStall: while the member stalls no answer leaves it, and what comes in
// waits. Ten clients send every 10 ms; the 101st request begins a stall.
func TestStall(t *testing.T) {
	options := map[string]any{"service": 10 * ms, "stall_every": int64(100), "stall_for": 200 * ms}
	virtual(t, options, func(t *testing.T, c *conn) {
		start := time.Now()
		took, _ := closedLoop(t, c, 10, 20, time.Second)
		slow := 0
		for _, one := range took {
			for _, d := range one {
				switch d {
				case 10 * ms:
				case 200 * ms, 210 * ms:
					slow++
				default:
					t.Errorf("a request took %v", d)
				}
			}
		}
		if slow != 10 {
			t.Errorf("%d requests saw the stall, want one of each client", slow)
		}
		if d := time.Since(start); d != 400*ms {
			t.Errorf("20 requests and a stall took %v, want 400 ms", d)
		}
	})
}

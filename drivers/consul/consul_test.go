package consul

import (
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/drivertest"
)

func TestConformance(t *testing.T) {
	m := startMember(t)
	target := m.target()
	drivertest.Run(t, drivertest.Harness{
		Driver:  New(),
		Target:  func(*testing.T) drivers.Target { return target },
		Network: true,
		Restart: m.restart,
		Count:   count,
	})
}

func dial(t testing.TB, target drivers.Target) *conn {
	t.Helper()
	c, err := New().Dial(t.Context(), target)
	if err != nil {
		t.Fatalf("dial: %v", err)
	}
	t.Cleanup(func() { c.Close() })
	return c.(*conn)
}

// do binds one operation and carries out one request.
func do(t testing.TB, c *conn, spec drivers.OpSpec, op *drivers.Op) error {
	t.Helper()
	client, err := c.Client([]drivers.OpSpec{spec})
	if err != nil {
		t.Fatalf("bind %v: %v", spec.Kind, err)
	}
	if op.Deadline.IsZero() {
		op.Deadline = time.Now().Add(time.Minute)
	}
	return client.Do(t.Context(), op)
}

func write(t testing.TB, c *conn, keys ...string) {
	t.Helper()
	for _, key := range keys {
		if err := do(t, c, drivers.OpSpec{Kind: drivers.Put}, &drivers.Op{Key: []byte(key), Value: []byte("value of " + key)}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDialRefusals(t *testing.T) {
	const nowhere = "127.0.0.1:1"
	for name, c := range map[string]struct {
		target drivers.Target
		want   string
	}{
		"url":             {drivers.Target{Endpoint: "http://" + nowhere}, "want host:port"},
		"no port":         {drivers.Target{Endpoint: "localhost"}, "want host:port"},
		"negative option": {drivers.Target{Endpoint: nowhere, Options: map[string]any{maxConnections: int64(-1)}}, maxConnections},
		"nobody there":    {drivers.Target{Endpoint: nowhere}, "refused"},
	} {
		conn, err := New().Dial(t.Context(), c.target)
		if err == nil {
			conn.Close()
			t.Errorf("%s: dial succeeded", name)
			continue
		}
		if text := err.Error(); !strings.Contains(text, c.want) || !strings.Contains(text, c.target.Endpoint) {
			t.Errorf("%s: error %q, want %q and the endpoint in it", name, text, c.want)
		}
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	s, err := dial(t, startMember(t).target()).Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if s.Leader == "" || s.ID != s.Leader || s.Term == 0 || !strings.Contains(s.Version, ".") {
		t.Errorf("status of a lone server: %+v; want it to lead, in a term", s)
	}
}

// TestMetricsGrow reads an agent's metrics before and after some writes. Only
// what is up to date counts.
func TestMetricsGrow(t *testing.T) {
	t.Parallel()
	target := startMember(t).target()
	read := func() map[string]drivers.Metric {
		figures, err := New().Metrics(t.Context(), target)
		if err != nil {
			t.Fatal(err)
		}
		return figures
	}
	before := read()
	keys := []string{"a", "b", "c", "d", "e"}
	write(t, dial(t, target), keys...)
	after := read()
	// What an agent says of its own process comes once a second, at first late.
	for end := time.Now().Add(time.Minute); after["heap_bytes"].Value <= 0 && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		after = read()
	}
	const committed = "committed_entries_count"
	if n := after[committed].Value - before[committed].Value; n < float64(len(keys)) {
		t.Errorf("%v entries committed, want at least the %d writes", n, len(keys))
	}
	if after["heap_bytes"].Value <= 0 || after["goroutines_count"].Value <= 0 {
		t.Errorf("heap %v, goroutines %v", after["heap_bytes"].Value, after["goroutines_count"].Value)
	}
	for name, m := range after {
		if m.Counter && strings.HasPrefix(name, "recent_") {
			t.Errorf("%s is of an interval, and yet said to grow", name)
		}
	}
	if !after[committed].Counter {
		t.Errorf("%s is not said to grow", committed)
	}
}

func TestMetricsUnreachable(t *testing.T) {
	target := drivers.Target{Endpoint: "127.0.0.1:1"}
	if _, err := New().Metrics(t.Context(), target); err == nil || !strings.Contains(err.Error(), target.Endpoint) {
		t.Errorf("metrics of an agent that is not there: %v, want an error that names it", err)
	}
}

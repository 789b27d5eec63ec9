package consul

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

func TestGivenLimits(t *testing.T) {
	for name, c := range map[string]struct {
		options map[string]any
		want    drivers.Limits
	}{
		"Consul's own":       {nil, drivers.Limits{Value: maxValue, Txn: maxTxnOps}},
		"raised":             {map[string]any{valueSize: int64(1 << 20), txnOps: int64(128), clientConns: int64(200)}, drivers.Limits{Value: 1 << 20, Txn: 128, Conns: 200}},
		"several each":       {map[string]any{clientConns: int64(200), maxConnections: int64(3)}, drivers.Limits{Value: maxValue, Txn: maxTxnOps, Conns: 66}},
		"more than there is": {map[string]any{clientConns: int64(2), maxConnections: int64(3)}, drivers.Limits{Value: maxValue, Txn: maxTxnOps, Conns: 1}},
	} {
		if got := New().Spec().With(c.options).Limits; got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// TestRaisedValue writes a value that a server takes since its limit was raised,
// and one that it does not.
func TestRaisedValue(t *testing.T) {
	t.Parallel()
	const raised = 1 << 20
	m := newMember(t)
	m.settings["limits"] = map[string]any{"kv_max_value_size": raised}
	m.settle(t)
	c := dial(t, m.target())
	put := drivers.OpSpec{Kind: drivers.Put}
	if err := do(t, c, put, &drivers.Op{Key: []byte("k"), Value: bytes.Repeat([]byte("x"), raised)}); err != nil {
		t.Errorf("a value at the limit: %v", err)
	}
	if err := do(t, c, put, &drivers.Op{Key: []byte("k"), Value: bytes.Repeat([]byte("x"), raised+1)}); drivers.ClassOf(err) != drivers.TooLarge {
		t.Errorf("a value above the limit: %v, want class too large", err)
	}
}

// TestConnectionLimit opens more connections than the server takes of one
// address: the last one is refused in words that name the limit.
func TestConnectionLimit(t *testing.T) {
	t.Parallel()
	const most = 3
	m := newMember(t)
	m.settings["limits"] = map[string]any{"http_max_conns_per_client": most}
	m.settle(t)
	var conns []drivers.Conn
	defer func() {
		for _, c := range conns {
			c.Close()
		}
	}()
	// The server may take a while to see that those before have gone.
	end := time.Now().Add(time.Minute)
	for len(conns) < most && time.Now().Before(end) {
		if c, err := New().Dial(t.Context(), m.target()); err == nil {
			conns = append(conns, c)
		}
	}
	_, err := New().Dial(t.Context(), m.target())
	if len(conns) < most || err == nil || !strings.Contains(err.Error(), "http_max_conns_per_client") {
		t.Errorf("%d connections, then: %v; want %d and an error that names the limit", len(conns), err, most)
	}
}

package zookeeper

import (
	"strings"
	"testing"

	"github.com/kvscen/kvscen/drivers"
)

func TestGiven(t *testing.T) {
	usual := spec().Limits
	for name, x := range map[string]struct {
		options map[string]any
		want    drivers.Limits
		txn     bool
	}{
		"defaults": {nil, usual, true},
		"larger requests": {map[string]any{"max_request": int64(4 << 20)},
			drivers.Limits{Key: 4<<20 - envelope, Value: 4<<20 - envelope}, true},
		"few connections": {map[string]any{"max_connections": int64(60)},
			drivers.Limits{Key: usual.Key, Value: usual.Value, Conns: 60}, true},
		"zetcd": {map[string]any{"proxy": zetcd}, usual, false},
	} {
		got := New().Spec().With(x.options)
		if got.Limits != x.want || got.Secure != x.txn || (got.Op(drivers.Txn) != nil) != x.txn {
			t.Errorf("%s: limits %+v, secure %v; want %+v, %v", name, got.Limits, got.Secure, x.want, x.txn)
		}
	}
}

// TestBehindProxy binds what a proxy is not asked for, on a real server: no request
// of the driver's tells the two apart.
func TestBehindProxy(t *testing.T) {
	t.Parallel()
	target := startWith(t, 1, setup{config: plainPort})[0].target()
	target.Options = map[string]any{"proxy": zetcd}
	c := dial(t, target)
	for _, op := range New().Spec().With(target.Options).Ops {
		consistency, _ := op.Resolve("")
		if _, err := do(t, c, drivers.OpSpec{Kind: op.Kind, Consistency: consistency}, drivers.Op{Key: []byte("k"), Expected: drivers.ExpectCurrent}); err != nil {
			t.Errorf("%v: %v", op.Kind, err)
		}
	}
	if _, err := c.Client([]drivers.OpSpec{{Kind: drivers.Txn, Ops: []drivers.OpSpec{{Kind: drivers.Put}}}}); err == nil {
		t.Error("a transaction is bound")
	}
	if st, err := c.Status(t.Context()); err != nil || !strings.Contains(st.Unknown, zetcd) {
		t.Errorf("status %+v, %v; want it unknown", st, err)
	}
	if figures, err := New().Metrics(t.Context(), target); err != nil || len(figures) > 0 {
		t.Errorf("metrics: %v, %v; want none", figures, err)
	}
}

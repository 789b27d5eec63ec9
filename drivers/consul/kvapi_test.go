package consul

import (
	"net/http"
	"strings"
	"testing"

	"github.com/kvscen/kvscen/drivers"
)

func kvTarget(t drivers.Target) drivers.Target {
	t.Options = map[string]any{apiOption: apiKV}
	return t
}

// TestKV writes, reads and swaps on a real agent, which serves more than that.
func TestKV(t *testing.T) {
	t.Parallel()
	conn, err := New().Dial(t.Context(), kvTarget(startMember(t).target()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	c := conn.(kvConn).conn
	write(t, c, "k")
	swap := drivers.Op{Key: []byte("k"), Value: []byte("next"), Expected: drivers.ExpectCurrent}
	if err := do(t, c, drivers.OpSpec{Kind: drivers.CAS}, &swap); err != nil || !swap.Found || swap.Attempts != 2 {
		t.Errorf("cas: %+v, %v", swap, err)
	}
	got := drivers.Op{Key: []byte("k")}
	if err := do(t, c, drivers.OpSpec{Kind: drivers.Get, Consistency: names[stale]}, &got); err != nil || string(got.Read) != "next" {
		t.Errorf("get: %q, %v", got.Read, err)
	}
	if err := do(t, c, drivers.OpSpec{Kind: drivers.Put}, &drivers.Op{Key: []byte("a//b")}); drivers.ClassOf(err) != drivers.Refused {
		t.Errorf("a key that is no clean path: %v, want class refused", err)
	}
}

// TestKVAlone sees that nothing is asked for but keys, without a word on
// consistency, and that a write is done only where the answer says so.
func TestKVAlone(t *testing.T) {
	answer := "true"
	target, _ := agentOf(t, func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/v1/kv/") || r.URL.RawQuery != "" && r.URL.RawQuery != "cas=7" {
			t.Errorf("%s %s was sent", r.Method, r.URL)
		}
		if r.Method == http.MethodGet {
			answer = "[]"
		}
		w.Write([]byte(answer))
	})
	conn, err := New().Dial(t.Context(), kvTarget(target))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, ok := conn.(drivers.Statuser); ok {
		t.Error("it says that it can be asked for its status")
	}
	for _, x := range []struct {
		spec   drivers.OpSpec
		answer string
		found  bool
		class  drivers.Class // of the error, where there is one
		fails  bool
	}{
		{drivers.OpSpec{Kind: drivers.Put}, "true", false, 0, false},
		{drivers.OpSpec{Kind: drivers.Put}, "false", false, drivers.Refused, true},
		{drivers.OpSpec{Kind: drivers.CAS}, "true", true, 0, false},
		{drivers.OpSpec{Kind: drivers.CAS}, "false", false, 0, false},
		{drivers.OpSpec{Kind: drivers.Get, Consistency: names[stale]}, "", false, 0, false},
	} {
		answer = x.answer
		op := drivers.Op{Key: []byte("k"), Expected: 7}
		err := do(t, conn.(kvConn).conn, x.spec, &op)
		if (err != nil) != x.fails || err != nil && drivers.ClassOf(err) != x.class || op.Found != x.found || op.Attempts != 1 {
			t.Errorf("%v answered by %q: found %v, %d attempts, %v", x.spec.Kind, x.answer, op.Found, op.Attempts, err)
		}
	}
	for _, kind := range []drivers.Kind{drivers.Delete, drivers.Scan, drivers.ListChildren, drivers.Txn, drivers.Exists} {
		if _, err := conn.Client([]drivers.OpSpec{{Kind: kind}}); err == nil {
			t.Errorf("%v can be bound", kind)
		}
	}
	if figures, err := New().Metrics(t.Context(), kvTarget(target)); err != nil || len(figures) > 0 {
		t.Errorf("metrics: %v, %v; want none", figures, err)
	}
}

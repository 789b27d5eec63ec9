package consul

import (
	"net/http"
	"testing"

	"github.com/kvscen/kvscen/drivers"
)

// TestClasses lets an agent fail in its own words, to a put and to a
// transaction.
func TestClasses(t *testing.T) {
	for _, x := range []struct {
		status int
		text   string
		want   drivers.Class
	}{
		{500, "No cluster leader", drivers.Unavailable},
		{500, "rpc error making call: EOF", drivers.Unavailable},
		{500, "leadership lost while committing log", drivers.Unavailable},
		{500, "rpc error making call: Permission denied", drivers.Refused},
		{500, "something else", drivers.Other},
		{503, "", drivers.Unavailable},
		{403, "Permission denied", drivers.Refused},
		{429, "Your IP is issuing too many concurrent connections, please rate limit your calls", drivers.Refused},
		{413, "Request body(600000 bytes) too large, max size: 524288 bytes.", drivers.TooLarge},
		{413, "Transaction contains too many operations (65 > 64)", drivers.TooLarge},
	} {
		target, _ := agentOf(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, x.text, x.status) })
		c := dial(t, target)
		for _, kind := range []drivers.Kind{drivers.Put, drivers.Delete} {
			if kind == drivers.Delete && x.text == "" {
				continue // of a transaction the words are all that is known
			}
			op := drivers.Op{Key: []byte("k")}
			err := do(t, c, drivers.OpSpec{Kind: kind}, &op)
			if err == nil || drivers.ClassOf(err) != x.want {
				t.Errorf("%v, %d %q: %v, want class %v", kind, x.status, x.text, err, x.want)
			}
			if op.Attempts != 1 {
				t.Errorf("%v, %d %q: %d attempts, want 1", kind, x.status, x.text, op.Attempts)
			}
		}
	}
}

// TestAttempts counts what each request becomes, as Spec declares it.
func TestAttempts(t *testing.T) {
	t.Parallel()
	c := dial(t, startMember(t).target())
	spec := New().Spec()
	put, cas := drivers.OpSpec{Kind: drivers.Put}, drivers.OpSpec{Kind: drivers.CAS}
	for name, x := range map[string]struct {
		spec drivers.OpSpec
		op   drivers.Op
		text string
	}{
		"put":         {put, drivers.Op{}, "1 PUT /v1/kv"},
		"get":         {drivers.OpSpec{Kind: drivers.Get, Consistency: names[stale]}, drivers.Op{}, "1 GET /v1/kv (stale)"},
		"//":          {put, drivers.Op{}, "1 PUT /v1/kv"},
		"delete":      {drivers.OpSpec{Kind: drivers.Delete}, drivers.Op{}, "1 PUT /v1/txn (get + delete)"},
		"cas current": {cas, drivers.Op{Expected: drivers.ExpectCurrent}, "1 GET /v1/kv + 1 PUT /v1/kv?cas"},
		"cas absent":  {drivers.OpSpec{Kind: drivers.CAS, Absent: true}, drivers.Op{}, "1 PUT /v1/kv?cas"},
		"txn": {drivers.OpSpec{Kind: drivers.Txn, Ops: []drivers.OpSpec{cas, put, cas}},
			drivers.Op{Sub: []drivers.Op{
				{Key: []byte("c"), Expected: drivers.ExpectCurrent}, {Key: []byte("d")}, {Key: []byte("e"), Expected: drivers.ExpectCurrent},
			}}, "2 x 1 GET /v1/kv + 1 PUT /v1/txn"},
	} {
		op := x.op
		op.Key = []byte(name)
		if err := do(t, c, x.spec, &op); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if text, want := spec.Describe(x.spec), spec.Needs(x.spec); op.Attempts != want || text != x.text {
			t.Errorf("%s: %d attempts, described as %q; want %d, %q", name, op.Attempts, text, want, x.text)
		}
	}
}

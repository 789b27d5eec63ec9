package cassandra

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// fixture is a connection to a cluster with keys of its own.
type fixture struct {
	*testing.T
	conn   *conn
	target drivers.Target
}

func (f fixture) key(name string) []byte { return []byte(f.Name() + "/" + name) }

func (f fixture) must(spec drivers.OpSpec, op drivers.Op) *drivers.Op {
	f.Helper()
	if err := do(f, f.conn, spec, &op); err != nil {
		f.Fatalf("%v %q: %v", spec.Kind, op.Key, err)
	}
	return &op
}

func (f fixture) put(names ...string) {
	f.Helper()
	for _, name := range names {
		f.must(drivers.OpSpec{Kind: drivers.Put, Consistency: "ALL"}, drivers.Op{Key: f.key(name), Value: []byte("value")})
	}
}

func (f fixture) has(name string) bool {
	f.Helper()
	return f.must(drivers.OpSpec{Kind: drivers.Exists, Consistency: "QUORUM"}, drivers.Op{Key: f.key(name)}).Found
}

func testExists(f fixture) {
	f.put("there")
	for _, c := range New().Spec().Ops[len(New().Spec().Ops)-1].Consistencies {
		spec := drivers.OpSpec{Kind: drivers.Exists, Consistency: c.Name}
		for name, want := range map[string]bool{"there": true, "missing": false} {
			op := f.must(spec, drivers.Op{Key: f.key(name)})
			if op.Found != want || op.Bytes != 0 || op.Attempts != 1 {
				f.Errorf("%s, %s: found %v, %d bytes, %d attempts", c.Name, name, op.Found, op.Bytes, op.Attempts)
			}
		}
	}
}

func testKeysOnly(f fixture) {
	f.put("a", "b", "c")
	want := int64(3 * len(f.key("a")))
	for limit, count := range map[int]int{0: 3, 2: 2, 5: 3} {
		op := f.must(drivers.OpSpec{Kind: drivers.Scan, KeysOnly: true, Limit: limit}, drivers.Op{Key: f.key(""), End: f.key("~")})
		if op.Count != count || op.Bytes != want/3*int64(count) {
			f.Errorf("limit %d: %d keys of %d bytes, want %d", limit, op.Count, op.Bytes, count)
		}
	}
}

func testPages(f fixture) {
	target := f.target
	target.Options["page_size"] = int64(2)
	f.conn = dial(f, target)
	f.put("a", "b", "c", "d", "e")
	op := f.must(drivers.OpSpec{Kind: drivers.Scan}, drivers.Op{Key: f.key(""), End: f.key("~")})
	if op.Count != 5 || op.Attempts < 3 {
		f.Errorf("%d keys in %d pages of 2, want 5 in at least 3", op.Count, op.Attempts)
	}
	op = f.must(drivers.OpSpec{Kind: drivers.Scan, Limit: 4}, drivers.Op{Key: f.key("b"), End: f.key("~")})
	if op.Count != 4 || op.Attempts != 1 {
		f.Errorf("%d keys in %d replies, want 4 in one", op.Count, op.Attempts)
	}
}

func testBatch(f fixture) {
	del, put := drivers.OpSpec{Kind: drivers.Delete}, drivers.OpSpec{Kind: drivers.Put}
	for _, kind := range []string{batchLogged, batchSingly} {
		target := f.target
		target.Options["batch"] = kind
		f.conn = dial(f, target)
		f.put("old")
		op := f.must(drivers.OpSpec{Kind: drivers.Txn, Ops: []drivers.OpSpec{put, put, del, del}}, drivers.Op{Sub: []drivers.Op{
			{Key: f.key("a")}, {Key: f.key("b"), Value: []byte("b")}, {Key: f.key("old")}, {Key: f.key("missing")},
		}})
		if !op.Found || op.Count != 1 || !op.Sub[2].Found || op.Sub[3].Found || op.Attempts != 3 {
			f.Errorf("%s batch: %+v; want the one key that was there deleted, in 2 reads and 1 batch", kind, *op)
		}
		if !f.has("a") || !f.has("b") || f.has("old") {
			f.Errorf("%s batch was not carried out", kind)
		}
		large := make([]byte, f.conn.settings.maxMutation/2)
		err := do(f, f.conn, drivers.OpSpec{Kind: drivers.Txn, Ops: []drivers.OpSpec{put, put}}, &drivers.Op{Sub: []drivers.Op{
			{Key: f.key("x"), Value: large}, {Key: f.key("y"), Value: large},
		}})
		if drivers.ClassOf(err) != drivers.TooLarge {
			f.Errorf("a batch above max_mutation: %v, want class too large", err)
		}
	}
	for _, sub := range []drivers.OpSpec{{Kind: drivers.Get}, {Kind: drivers.CAS}} {
		if _, err := f.conn.Client([]drivers.OpSpec{{Kind: drivers.Txn, Ops: []drivers.OpSpec{sub}}}); err == nil {
			f.Errorf("a batch was bound to %v", sub.Kind)
		}
	}
}

// testAttempts compares what is sent with what the Spec declares.
func testAttempts(f fixture) {
	spec := New().Spec()
	f.put("k")
	for _, op := range []drivers.OpSpec{
		{Kind: drivers.Put, TTL: time.Minute}, {Kind: drivers.Get}, {Kind: drivers.Exists}, {Kind: drivers.Scan, Limit: 1},
		{Kind: drivers.CAS}, {Kind: drivers.CAS, Absent: true}, {Kind: drivers.Delete},
	} {
		op.Consistency, _ = spec.Op(op.Kind).Resolve("")
		got := f.must(op, drivers.Op{Key: f.key("k"), Expected: drivers.ExpectCurrent})
		if want := spec.Needs(op); got.Attempts != want {
			f.Errorf("%v (%s): %d attempts, declared are %d", op.Kind, spec.Describe(op), got.Attempts, want)
		}
	}
}

func testBlindDelete(f fixture) {
	target := f.target
	target.Options["delete"] = deleteBlind
	f.conn = dial(f, target)
	f.put("k")
	if op := f.must(drivers.OpSpec{Kind: drivers.Delete}, drivers.Op{Key: f.key("k")}); !op.Found || op.Attempts != 1 {
		f.Errorf("blind delete: found %v, %d attempts", op.Found, op.Attempts)
	}
	if f.has("k") {
		f.Error("the key is still there")
	}
}

func testServerTime(f fixture) {
	target := f.target
	target.Options["timestamps"] = serverTime
	f.conn = dial(f, target)
	f.put("k")
	if !f.has("k") {
		f.Error("a key with the server's time was not written")
	}
}

// testSwapAfterPut sees that a swap is never taken for older than a write that
// came before it.
func testSwapAfterPut(f fixture) {
	put, cas, get := drivers.OpSpec{Kind: drivers.Put}, drivers.OpSpec{Kind: drivers.CAS}, drivers.OpSpec{Kind: drivers.Get, Keep: true}
	for i := range 30 {
		key := f.key(fmt.Sprint(i))
		old := f.must(put, drivers.Op{Key: key, Value: []byte("z")})
		if swap := f.must(cas, drivers.Op{Key: key, Value: []byte("a"), Expected: old.Revision}); !swap.Found {
			f.Fatal("a swap on the revision just written was lost")
		}
		if got := f.must(get, drivers.Op{Key: key}); string(got.Read) != "a" {
			f.Fatalf("round %d: the swap is gone, the key has %q", i, got.Read)
		}
	}
}

func testDialRefusals(f fixture) {
	for _, c := range []struct {
		option string
		value  any
		want   string
	}{
		{"keyspace", "no spaces", "keyspace"},
		{"compaction", "NoSuchStrategy", "NoSuchStrategy"},
		{"protocol", int64(2), "protocol"},
		{"batch", "counter", "logged"},
	} {
		target := f.target
		target.Options = map[string]any{"keyspace": "elsewhere", c.option: c.value}
		conn, err := New().Dial(f.Context(), target)
		if err == nil {
			conn.Close()
			f.Errorf("%s = %v: dial succeeded", c.option, c.value)
			continue
		}
		if text := err.Error(); !strings.Contains(text, c.want) || !strings.Contains(text, target.Endpoint) {
			f.Errorf("%s = %v: error %q, want %q and the endpoint in it", c.option, c.value, text, c.want)
		}
	}
}

// testMembersLacking dials with a timeout that passes while members are waited
// for. How long it takes to get that far is the machine's: where the timeout
// passed before, a longer one is tried.
func testMembersLacking(f fixture) {
	target := f.target
	target.Options = map[string]any{"keyspace": "elsewhere", "replication_factor": int64(90)}
	var err error
	for target.Timeout = time.Second; target.Timeout <= time.Minute; target.Timeout *= 2 {
		var conn drivers.Conn
		if conn, err = New().Dial(f.Context(), target); err == nil {
			conn.Close()
			f.Fatal("dial succeeded without the members that there are to be")
		}
		if text := err.Error(); strings.Contains(text, "of the 90 members") && strings.Contains(text, target.Endpoint) {
			return
		}
	}
	f.Errorf("error %q, want the members that are lacking and the endpoint in it", err)
}

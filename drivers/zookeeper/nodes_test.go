package zookeeper

import (
	"fmt"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// TestExists looks for keys that are there, that are not, and that other keys lie
// below, alone and in a transaction.
func TestExists(t *testing.T) {
	c := dial(t, startServers(t, 1)[0].target())
	for range 2 { // revision 2
		if _, err := do(t, c, drivers.OpSpec{Kind: drivers.Put}, drivers.Op{Key: []byte("a/b")}); err != nil {
			t.Fatal(err)
		}
	}
	for key, want := range map[string]int64{"a/b": 2, "a": 1, "a/c": 0} {
		for _, consistency := range []string{local, linearizable} {
			op, err := do(t, c, drivers.OpSpec{Kind: drivers.Exists, Consistency: consistency}, drivers.Op{Key: []byte(key)})
			if err != nil || op.Found != (want > 0) || op.Revision != want || op.Bytes != 0 {
				t.Errorf("exists %s, %s: %+v, %v; want revision %d", key, consistency, op, err, want)
			}
		}
		txn := drivers.OpSpec{Kind: drivers.Txn, Ops: []drivers.OpSpec{{Kind: drivers.Exists}, {Kind: drivers.Put}, {Kind: drivers.Exists}}}
		other := []byte("new " + key)
		op, err := do(t, c, txn, drivers.Op{Sub: []drivers.Op{{Key: []byte(key)}, {Key: other}, {Key: other}}})
		if err != nil || !op.Found || op.Sub[0].Found != (want > 0) || op.Sub[0].Revision != want || !op.Sub[2].Found {
			t.Errorf("exists %s in a transaction: %+v, %v; want revision %d", key, op, err, want)
		}
	}
}

// TestSequential puts one key several times, on two connections and in a
// transaction: each put makes a node of its own.
func TestSequential(t *testing.T) {
	target := startServers(t, 1)[0].target()
	plain := dial(t, target)
	target.Options = map[string]any{"sequential": true}
	put := drivers.OpSpec{Kind: drivers.Put}
	a, b := dial(t, target), dial(t, target)
	for i, c := range []*conn{a, b, a} {
		op, err := do(t, c, put, drivers.Op{Key: []byte("queue/job-"), Value: fmt.Append(nil, i)})
		if err != nil || op.Revision != 1 {
			t.Fatalf("put %d: %+v, %v", i, op, err)
		}
	}
	twice := drivers.Op{Sub: []drivers.Op{{Key: []byte("queue/job-"), Value: []byte("3")}, {Key: []byte("fresh/job-")}}}
	if op, err := do(t, b, drivers.OpSpec{Kind: drivers.Txn, Ops: []drivers.OpSpec{put, put}}, twice); err != nil || !op.Found {
		t.Fatalf("a transaction: %+v, %v", op, err)
	}
	for i := range 4 {
		key := fmt.Appendf(nil, "queue/job-%010d", i)
		op, err := do(t, plain, drivers.OpSpec{Kind: drivers.Get, Keep: true}, drivers.Op{Key: key})
		if err != nil || string(op.Read) != fmt.Sprint(i) {
			t.Errorf("value of %s: %q, %v; want %d", key, op.Read, err, i)
		}
	}
	for key, want := range map[string]int{"queue": 4, "fresh": 1} {
		op, err := do(t, plain, drivers.OpSpec{Kind: drivers.ListChildren}, drivers.Op{Key: []byte(key)})
		if err != nil || op.Count != want {
			t.Errorf("%d nodes below %s, %v; want %d", op.Count, key, err, want)
		}
	}
}

// renew cuts the TCP connection and waits until the session has another one.
func renew(t *testing.T, c *conn) {
	t.Helper()
	before := c.link.session()
	c.link.cut()
	for end := time.Now().Add(time.Minute); c.link.session() == before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nobody noticed that the connection was cut")
		}
	}
	select {
	case <-c.link.session():
	case <-time.After(time.Minute):
		t.Fatal("the session has not come back")
	}
}

// TestEphemeral sees nodes outlive the TCP connection, and vanish with the session.
func TestEphemeral(t *testing.T) {
	target := startServers(t, 1)[0].target()
	plain := dial(t, target)
	target.Options = map[string]any{"ephemeral": true}
	c := dial(t, target)
	there := func(key string) bool {
		t.Helper()
		op, err := do(t, plain, drivers.OpSpec{Kind: drivers.Exists}, drivers.Op{Key: []byte(key)})
		if err != nil {
			t.Fatal(err)
		}
		return op.Found
	}
	put := func(key string) {
		t.Helper()
		if _, err := do(t, c, drivers.OpSpec{Kind: drivers.Put}, drivers.Op{Key: []byte(key)}); err != nil {
			t.Fatal(err)
		}
	}
	put("e/1")
	renew(t, c)
	put("e/2")
	if _, err := do(t, c, drivers.OpSpec{Kind: drivers.Put}, drivers.Op{Key: []byte("e/1/child")}); drivers.ClassOf(err) != drivers.Refused {
		t.Errorf("a node below an ephemeral one: %v, want refused", err)
	}
	if !there("e/1") || !there("e/2") {
		t.Error("nodes went with the TCP connection")
	}
	c.Close()
	for end := time.Now().Add(time.Minute); there("e/1") || there("e/2"); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nodes are still there, long after their session")
		}
	}
	if !there("e") {
		t.Error("the node above them went too")
	}
}

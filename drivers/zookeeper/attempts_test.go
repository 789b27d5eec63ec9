package zookeeper

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/kvscen/kvscen/drivers"
)

// TestAttempts counts what each request becomes, as Spec declares it.
func TestAttempts(t *testing.T) {
	c := dial(t, startServers(t, 1)[0].target())
	spec := New().Spec()
	put, cas := drivers.OpSpec{Kind: drivers.Put}, drivers.OpSpec{Kind: drivers.CAS}
	if _, err := do(t, c, put, drivers.Op{Key: []byte("first")}); err != nil { // makes the node above all keys
		t.Fatal(err)
	}
	for name, x := range map[string]struct {
		spec drivers.OpSpec
		op   drivers.Op
	}{
		"put":         {put, drivers.Op{}},
		"get":         {drivers.OpSpec{Kind: drivers.Get, Consistency: local}, drivers.Op{}},
		"get strong":  {drivers.OpSpec{Kind: drivers.Get, Consistency: linearizable}, drivers.Op{}},
		"list strong": {drivers.OpSpec{Kind: drivers.ListChildren, Consistency: linearizable}, drivers.Op{}},
		"delete":      {drivers.OpSpec{Kind: drivers.Delete}, drivers.Op{}},
		"cas absent":  {drivers.OpSpec{Kind: drivers.CAS, Absent: true}, drivers.Op{Expected: drivers.ExpectCurrent}},
		"cas current": {cas, drivers.Op{Expected: drivers.ExpectCurrent}},
		"txn": {drivers.OpSpec{Kind: drivers.Txn, Ops: []drivers.OpSpec{put, {Kind: drivers.Get}, cas, {Kind: drivers.Delete}}},
			drivers.Op{Sub: []drivers.Op{{Key: []byte("a")}, {Key: []byte("b")}, {Key: []byte("c"), Expected: drivers.ExpectCurrent}, {Key: []byte("d")}}}},
	} {
		x.op.Key = []byte(name)
		op, err := do(t, c, x.spec, x.op)
		if want := spec.Needs(x.spec); err != nil || op.Attempts != want {
			t.Errorf("%s: %d attempts, %v; want the %d of %q", name, op.Attempts, err, want, spec.Describe(x.spec))
		}
	}
}

// TestUpsert loads keys and updates them: only the first of each kind needs more
// than one request.
func TestUpsert(t *testing.T) {
	c := dial(t, startServers(t, 1)[0].target())
	client, err := c.Client([]drivers.OpSpec{{Kind: drivers.Put}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{3, 1, 1, 2, 1, 1} { // the node above them and three are created, and then set
		op := drivers.Op{Key: fmt.Appendf(nil, "k%d", i%3), Value: []byte("v")}
		if err := client.Do(t.Context(), &op); err != nil || op.Attempts != want {
			t.Errorf("put %d: %d attempts, %v; want %d", i, op.Attempts, err, want)
		}
		if want := int64(i/3 + 1); op.Revision != want {
			t.Errorf("put %d: revision %d, want %d", i, op.Revision, want)
		}
	}
}

// TestModes writes in each mode, to a key that is there and to one that is not.
func TestModes(t *testing.T) {
	target := startServers(t, 1)[0].target()
	target.Options = map[string]any{"fanout": int64(3)}
	upserting := dial(t, target)
	for mode, want := range map[string]struct{ fresh, again bool }{
		modeUpsert: {true, true}, modeCreate: {true, false}, modeSet: {false, true},
	} {
		target.Options = map[string]any{"mode": mode, "fanout": int64(3)}
		c := dial(t, target)
		there := []byte("there " + mode)
		if _, err := do(t, upserting, drivers.OpSpec{Kind: drivers.Put}, drivers.Op{Key: there}); err != nil {
			t.Fatal(err)
		}
		for key, ok := range map[string]bool{"fresh " + mode: want.fresh, string(there): want.again} {
			_, err := do(t, c, drivers.OpSpec{Kind: drivers.Put}, drivers.Op{Key: []byte(key)})
			if (err == nil) != ok || err != nil && drivers.ClassOf(err) != drivers.Refused {
				t.Errorf("mode %s, put of %q: %v, want ok %v, or refused", mode, key, err, ok)
			}
		}
		if _, err := c.Client([]drivers.OpSpec{{Kind: drivers.ListChildren}}); err == nil {
			t.Error("children are listed in spite of a fanout")
		}
	}
}

// TestBuffers sends and reads values beyond the buffers that a connection begins
// with, on several clients at once, and lists more names than fit in them.
func TestBuffers(t *testing.T) {
	c := dial(t, startServers(t, 1)[0].target())
	done := make(chan error)
	const clients = 8
	for i := range clients {
		client, err := c.Client([]drivers.OpSpec{{Kind: drivers.Put}, {Kind: drivers.Get, Keep: true}})
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			for n := range 20 {
				key, value := fmt.Appendf(nil, "d/%d %d %0200d", i, n, 0), bytes.Repeat([]byte{byte(i)}, n*n*200)
				op := drivers.Op{Key: key, Value: value}
				err := client.Do(t.Context(), &op)
				if err == nil {
					op = drivers.Op{Spec: 1, Key: key}
					err = client.Do(t.Context(), &op)
				}
				if err == nil && !bytes.Equal(op.Read, value) {
					err = fmt.Errorf("%d bytes came back of %d", len(op.Read), len(value))
				}
				if err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range clients {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	op, err := do(t, c, drivers.OpSpec{Kind: drivers.ListChildren}, drivers.Op{Key: []byte("d")})
	if err != nil || op.Count != clients*20 || op.Bytes < clients*20*200 {
		t.Errorf("list: %d names of %d bytes, %v", op.Count, op.Bytes, err)
	}
}

package inproc_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/bbolt"
	"github.com/kvscen/kvscen/drivers/inproc"
	"github.com/kvscen/kvscen/drivers/leveldb"
	"github.com/kvscen/kvscen/drivers/pebble"
)

// engines are those that are built on this package.
var engines = map[string]func() *inproc.Driver{"leveldb": leveldb.New, "pebble": pebble.New, "bbolt": bbolt.New}

// open opens a member and connects to it.
func open(t testing.TB, d *inproc.Driver, options map[string]any) drivers.Conn {
	t.Helper()
	endpoint, shut, err := d.Open(t.Context(), t.TempDir(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := shut(); err != nil {
			t.Error(err)
		}
	})
	conn, err := d.Dial(t.Context(), drivers.Target{Endpoint: endpoint})
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

func do(t testing.TB, conn drivers.Conn, spec drivers.OpSpec, op drivers.Op) *drivers.Op {
	t.Helper()
	client, err := conn.Client([]drivers.OpSpec{spec})
	if err != nil {
		t.Fatal(err)
	}
	op.Deadline = time.Now().Add(time.Minute)
	if err := client.Do(t.Context(), &op); err != nil {
		t.Fatal(err)
	}
	return &op
}

// Values of the largest size that the published studies write.
func TestLargeValues(t *testing.T) {
	for name, make := range engines {
		t.Run(name, func(t *testing.T) {
			conn := open(t, make(), map[string]any{"sync": false})
			value := bytes.Repeat([]byte("0123456789abcdef"), 64<<20/16)
			for i := range 2 {
				do(t, conn, drivers.OpSpec{Kind: drivers.Put}, drivers.Op{Key: fmt.Append(nil, i), Value: value})
			}
			op := do(t, conn, drivers.OpSpec{Kind: drivers.Get, Consistency: "linearizable", Keep: true}, drivers.Op{Key: []byte("1")})
			if !bytes.Equal(op.Read, value) {
				t.Errorf("%d bytes were read, want the %d written", len(op.Read), len(value))
			}
			op = do(t, conn, drivers.OpSpec{Kind: drivers.Scan, Consistency: "linearizable"}, drivers.Op{Key: []byte("0")})
			if op.Count != 2 || op.Bytes != int64(2*(1+len(value))) {
				t.Errorf("scan: %d entries of %d bytes", op.Count, op.Bytes)
			}
		})
	}
}

// A member knows the version of its engine.
func TestVersion(t *testing.T) {
	for name, make := range engines {
		status, err := open(t, make(), nil).(drivers.Statuser).Status(t.Context())
		if err != nil || status.Version == "" || status.Leader != "" {
			t.Errorf("%s: status %+v, %v", name, status, err)
		}
	}
}

// A folder is one member's alone.
func TestFolderInUse(t *testing.T) {
	for name, make := range engines {
		dir := t.TempDir()
		_, shut, err := make().Open(t.Context(), dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := make().Open(t.Context(), dir, nil); err == nil {
			t.Errorf("%s: a folder that is in use was opened again", name)
		}
		if err := shut(); err != nil {
			t.Error(err)
		}
		if err := shut(); err == nil {
			t.Errorf("%s: a member was closed twice", name)
		}
	}
}

// Reads of a transaction see what it has written, those without values too.
func TestTxnLooks(t *testing.T) {
	for name, make := range engines {
		t.Run(name, func(t *testing.T) {
			conn := open(t, make(), map[string]any{"sync": false})
			exists := drivers.OpSpec{Kind: drivers.Exists, Consistency: "linearizable"}
			list := drivers.OpSpec{Kind: drivers.Scan, Consistency: "linearizable", KeysOnly: true}
			ops := []drivers.OpSpec{exists, {Kind: drivers.Put}, exists, list, {Kind: drivers.Delete}, exists}
			key, value := []byte("key"), []byte("value")
			sub := []drivers.Op{{Key: key}, {Key: key, Value: value}, {Key: key}, {Key: []byte("k"), End: []byte("l")}, {Key: key}, {Key: key}}
			op := do(t, conn, drivers.OpSpec{Kind: drivers.Txn, Ops: ops}, drivers.Op{Sub: sub})
			if sub[0].Found || !sub[2].Found || !sub[4].Found || sub[5].Found {
				t.Errorf("found %v, %v, %v, %v; want it from the put to the delete", sub[0].Found, sub[2].Found, sub[4].Found, sub[5].Found)
			}
			if sub[3].Count != 1 || op.Bytes != int64(len(key)) {
				t.Errorf("%d keys listed, %d bytes read; want 1 of %d", sub[3].Count, op.Bytes, len(key))
			}
			op = do(t, conn, drivers.OpSpec{Kind: drivers.Txn, Ops: []drivers.OpSpec{exists, list}}, drivers.Op{Sub: sub[:2]})
			if !op.Found || sub[0].Found {
				t.Errorf("a transaction of reads: committed %v, found %v", op.Found, sub[0].Found)
			}
		})
	}
}

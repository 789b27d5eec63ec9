package leveldb

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/opt"

	"github.com/kvscen/kvscen/drivers"
)

// BenchmarkCost is the price of a request over that of a bare call of the
// library, on writes that do not wait for the disk and on reads of what is in
// memory: the cheapest that there are.
func BenchmarkCost(b *testing.B) {
	key, value := make([]byte, 256), make([]byte, 1024)
	next := func(i int) { binary.BigEndian.PutUint64(key, uint64(i%1000)) }
	b.Run("bare", func(b *testing.B) {
		db, err := leveldb.OpenFile(b.TempDir(), &opt.Options{WriteBuffer: 64 << 20, Compression: opt.NoCompression})
		if err != nil {
			b.Fatal(err)
		}
		defer db.Close()
		run(b, "put", func(i int) error { next(i); return db.Put(key, value, nil) })
		run(b, "get", func(i int) error { next(i); _, err := db.Get(key, nil); return err })
	})
	b.Run("driver", func(b *testing.B) {
		d := New()
		endpoint, shut, err := d.Open(b.Context(), b.TempDir(), map[string]any{"sync": false, "write_buffer": int64(64 << 20), "compression": "none"})
		if err != nil {
			b.Fatal(err)
		}
		defer shut()
		conn, err := d.Dial(b.Context(), drivers.Target{Endpoint: endpoint})
		if err != nil {
			b.Fatal(err)
		}
		client, err := conn.Client([]drivers.OpSpec{{Kind: drivers.Put}, {Kind: drivers.Get}})
		if err != nil {
			b.Fatal(err)
		}
		op := drivers.Op{Key: key, Value: value, Deadline: time.Now().Add(time.Hour)}
		do := func(spec int) func(i int) error {
			return func(i int) error { next(i); op.Spec = spec; return client.Do(b.Context(), &op) }
		}
		run(b, "put", do(0))
		run(b, "get", do(1))
	})
}

func run(b *testing.B, name string, f func(i int) error) {
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if err := f(i); err != nil {
				b.Fatal(err)
			}
		}
	})
}

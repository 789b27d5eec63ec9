package cassandra

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
	"golang.org/x/sys/unix"

	"github.com/kvscen/kvscen/drivers"
)

const (
	benchClients = 50
	benchConns   = 10
	benchTimeout = 30 * time.Second
)

// BenchmarkDo compares the driver with a bare loop over the same library, as it
// is set up by itself, with the same connections and clients. Its cpu-µs/op is
// CPU time of the client alone: the member has a process of its own.
func BenchmarkDo(b *testing.B) {
	target := startServers(b, 1, "")[0].target()
	key, value := make([]byte, 256), make([]byte, 1024)
	for _, kind := range []drivers.Kind{drivers.Put, drivers.Get} {
		for _, loop := range []struct {
			name string
			open func(*testing.B, drivers.Target, drivers.Kind, []byte, []byte) func(int) func() error
		}{{"driver", driverLoop}, {"library", libraryLoop}} {
			b.Run(fmt.Sprintf("%v/%s", kind, loop.name), func(b *testing.B) { run(b, loop.open(b, target, kind, key, value)) })
		}
	}
}

// run shares b.N requests out over the clients.
func run(b *testing.B, client func(int) func() error) {
	requests := make([]func() error, benchClients)
	for i := range requests {
		requests[i] = client(i)
	}
	b.ReportAllocs()
	before := cpu(b)
	b.ResetTimer()
	var next atomic.Int64
	var wg sync.WaitGroup
	for _, request := range requests {
		wg.Go(func() {
			for next.Add(1) <= int64(b.N) {
				if err := request(); err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(cpu(b)-before)/1000/float64(b.N), "cpu-µs/op")
}

func cpu(b *testing.B) int64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

func driverLoop(b *testing.B, target drivers.Target, kind drivers.Kind, key, value []byte) func(int) func() error {
	conns := make([]drivers.Conn, benchConns)
	for i := range conns {
		conns[i] = dial(b, target)
	}
	ctx := b.Context()
	return func(i int) func() error {
		client, err := conns[i%benchConns].Client([]drivers.OpSpec{{Kind: kind}})
		if err != nil {
			b.Fatal(err)
		}
		var op drivers.Op
		return func() error {
			op.Key, op.Value, op.Deadline = key, value, time.Now().Add(benchTimeout)
			return client.Do(ctx, &op)
		}
	}
}

func libraryLoop(b *testing.B, target drivers.Target, kind drivers.Kind, key, value []byte) func(int) func() error {
	sessions := make([]*gocql.Session, benchConns)
	for i := range sessions {
		cluster := gocql.NewCluster(target.Endpoint)
		cluster.NumConns = 1
		cluster.Keyspace = "kvscen"
		s, err := cluster.CreateSession()
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(s.Close)
		sessions[i] = s
	}
	return func(i int) func() error {
		s := sessions[i%benchConns]
		return func() error {
			ctx, cancel := context.WithTimeout(b.Context(), benchTimeout)
			defer cancel()
			if kind == drivers.Put {
				return s.Query("INSERT INTO kv (k, v, r) VALUES (?, ?, ?)", key, value, int64(1)).ExecContext(ctx)
			}
			var read []byte
			var revision int64
			return s.Query("SELECT v, r FROM kv WHERE k = ?", key).ScanContext(ctx, &read, &revision)
		}
	}
}

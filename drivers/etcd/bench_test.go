package etcd

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	clientv3 "go.etcd.io/etcd/client/v3"
	"golang.org/x/sys/unix"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/kvscen/kvscen/drivers"
)

const (
	benchClients = 100
	benchConns   = 10
	benchTimeout = 5 * time.Second
)

// BenchmarkDo compares the driver with bare loops over the same libraries, all
// with the same connections, clients and timeout. Its cpu-µs/op is CPU time of
// the client alone: the member has a process of its own.
func BenchmarkDo(b *testing.B) {
	target := startProcess(b).target()
	key, value := make([]byte, 256), make([]byte, 1024)
	for i := range key {
		key[i] = 'k'
	}
	write(b, target, key, value)
	for _, kind := range []drivers.Kind{drivers.Put, drivers.Get} {
		for _, loop := range []struct {
			name string
			open opener
		}{{"driver", driverLoop}, {"generated client", generatedLoop}, {"client v3", clientLoop}} {
			b.Run(fmt.Sprintf("%v/%s", kind, loop.name), func(b *testing.B) {
				run(b, loop.open(b, target.Endpoint, kind, key, value))
			})
		}
	}
}

// opener connects and gives what makes a client: a function that sends one
// request.
type opener func(b *testing.B, addr string, kind drivers.Kind, key, value []byte) func(client int) func()

func write(b *testing.B, target drivers.Target, key, value []byte) {
	c, err := dial(b, target).Client([]drivers.OpSpec{{Kind: drivers.Put}})
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Do(b.Context(), &drivers.Op{Key: key, Value: value}); err != nil {
		b.Fatal(err)
	}
}

// run shares b.N requests out over the clients.
func run(b *testing.B, client func(int) func()) {
	var next atomic.Int64
	requests := make([]func(), benchClients)
	for i := range requests {
		requests[i] = client(i)
	}
	b.ReportAllocs()
	before := cpu(b)
	b.ResetTimer()
	var wg sync.WaitGroup
	for _, request := range requests {
		wg.Go(func() {
			for next.Add(1) <= int64(b.N) {
				request()
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

func driverLoop(b *testing.B, addr string, kind drivers.Kind, key, value []byte) func(int) func() {
	conns := make([]drivers.Conn, benchConns)
	for i := range conns {
		conns[i] = dial(b, drivers.Target{Endpoint: addr})
	}
	ctx := b.Context()
	return func(i int) func() {
		client, err := conns[i%benchConns].Client([]drivers.OpSpec{{Kind: kind}})
		if err != nil {
			b.Fatal(err)
		}
		var op drivers.Op
		return func() {
			op.Key, op.Value, op.Deadline = key, value, time.Now().Add(benchTimeout)
			if err := client.Do(ctx, &op); err != nil {
				b.Error(err)
			}
		}
	}
}

func clientLoop(b *testing.B, addr string, kind drivers.Kind, key, value []byte) func(int) func() {
	conns := make([]*clientv3.Client, benchConns)
	for i := range conns {
		c, err := clientv3.New(clientv3.Config{Endpoints: []string{addr}})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { c.Close() })
		conns[i] = c
	}
	return func(i int) func() {
		c := conns[i%benchConns]
		return func() {
			ctx, cancel := context.WithTimeout(b.Context(), benchTimeout)
			defer cancel()
			var err error
			if kind == drivers.Put {
				_, err = c.Put(ctx, string(key), string(value))
			} else {
				_, err = c.Get(ctx, string(key))
			}
			if err != nil {
				b.Error(err)
			}
		}
	}
}

func generatedLoop(b *testing.B, addr string, kind drivers.Kind, key, value []byte) func(int) func() {
	conns := make([]pb.KVClient, benchConns)
	for i := range conns {
		c, err := grpc.NewClient(addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { c.Close() })
		conns[i] = pb.NewKVClient(c)
	}
	return func(i int) func() {
		c := conns[i%benchConns]
		return func() {
			ctx, cancel := context.WithTimeout(b.Context(), benchTimeout)
			defer cancel()
			var err error
			if kind == drivers.Put {
				_, err = c.Put(ctx, &pb.PutRequest{Key: key, Value: value})
			} else {
				_, err = c.Range(ctx, &pb.RangeRequest{Key: key})
			}
			if err != nil {
				b.Error(err)
			}
		}
	}
}

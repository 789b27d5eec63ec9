package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/etcd"
	"github.com/kvscen/kvscen/internal/cluster"
	"github.com/kvscen/kvscen/internal/dist"
	"github.com/kvscen/kvscen/internal/plan"
)

const (
	etcdPairs    = 7
	etcdRequests = 40_000
	etcdClients  = 100
	etcdConns    = 10
	etcdTimeout  = 5 * time.Second
)

// etcdClient compares kvscen's client with a bare loop over the generated client
// of etcd's API, with the same connections, clients, timeout, keys and values.
// The member is a process of its own, so that its CPU time does not count.
func etcdClient(s *sheet) (err error) {
	endpoint, stop, err := member()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	driver := etcd.New()
	dial := func(ctx context.Context, _, _ int) (drivers.Conn, error) {
		return driver.Dial(ctx, drivers.Target{Endpoint: endpoint, Timeout: etcdTimeout})
	}
	step := plan.Step{Clients: etcdClients, Connections: etcdConns, Requests: etcdRequests}
	for _, kind := range []string{"put", "get"} {
		s.say("%s, %d clients over %d connections:", kind, etcdClients, etcdConns)
		o := op(kind, plan.OrderUniform)
		if err := s.pairs(etcdPairs, 1.15,
			func() (float64, error) { return cost(o, step, dial) },
			func() (float64, error) { return bareEtcd(endpoint, kind) },
		); err != nil {
			return err
		}
	}
	return nil
}

// member starts one embedded member.
func member() (endpoint string, stop func() error, err error) {
	bin, remove, err := build()
	if err != nil {
		return "", nil, err
	}
	dir, err := os.MkdirTemp("", "kvscen-bench")
	if err != nil {
		remove()
		return "", nil, err
	}
	clean := func() error { remove(); return os.RemoveAll(dir) }
	ref := func(name string) string { return plan.Token("m1." + name) }
	url := func(port string) string { return "http://" + ref("ip") + ":" + ref("port."+port) }
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, err := cluster.Start(ctx, &plan.Cluster{
		Label: "etcd", Driver: "etcd", ReadyWithin: time.Minute,
		Nodes: []plan.Node{{Name: "m1", Endpoint: ref("ip") + ":" + ref("port.client"), Processes: []plan.Process{{
			Name: "etcd",
			Argv: []string{plan.Token("self"), "serve", "etcd", "--", "--name", "m1", "--dir", ref("dir") + "/etcd",
				"--client-url", url("client"), "--peer-url", url("peer"), "--initial-cluster", "m1=" + url("peer")},
			Ready: &plan.Ready{Kind: "http", URL: url("client") + "/health"},
			Stop:  plan.Stop{Signal: "TERM", Grace: 10 * time.Second},
		}}}},
	}, cluster.Config{Self: bin, Dir: dir, LogDir: dir})
	if err != nil {
		return "", nil, errors.Join(err, clean())
	}
	return c.Members()[0].Endpoint, func() error {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		return errors.Join(c.Stop(ctx), clean())
	}, nil
}

// bareEtcd is clients in loops over the generated client, nothing timed, nothing
// recorded.
func bareEtcd(endpoint, kind string) (float64, error) {
	var kvs []pb.KVClient
	for range etcdConns {
		conn, err := grpc.NewClient(endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			return 0, err
		}
		defer conn.Close()
		kv := pb.NewKVClient(conn)
		if _, err := kv.Range(context.Background(), &pb.RangeRequest{Key: []byte("k")}); err != nil { // connects
			return 0, fmt.Errorf("%s: %w", endpoint, err)
		}
		kvs = append(kvs, kv)
	}
	var wg sync.WaitGroup
	var next atomic.Uint64
	errs := make([]error, etcdClients)
	began := cpu()
	for i := range etcdClients {
		wg.Go(func() { errs[i] = bareClient(kvs[i%etcdConns], kind, &next) })
	}
	wg.Wait()
	return float64(cpu()-began) / etcdRequests, errors.Join(errs...)
}

func bareClient(kv pb.KVClient, kind string, next *atomic.Uint64) error {
	keys, err := dist.NewKeys("", "", keySize, dist.Decimal, keyCount, 1)
	if err != nil {
		return err
	}
	stream := dist.NewStream(1, "bare")
	value := make([]byte, valueSize)
	for {
		n := next.Add(1)
		if n > etcdRequests {
			return nil
		}
		key := keys.At(dist.Below(stream.At(n), keyCount))
		ctx, cancel := context.WithTimeout(context.Background(), etcdTimeout)
		if kind == "put" {
			dist.Fill(value, stream, n, 0)
			_, err = kv.Put(ctx, &pb.PutRequest{Key: key, Value: value})
		} else {
			_, err = kv.Range(ctx, &pb.RangeRequest{Key: key})
		}
		cancel()
		if err != nil {
			return err
		}
	}
}

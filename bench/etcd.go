package main

import (
	"context"
	"errors"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// etcdClient is the generated client of etcd's API, which costs less than
// client/v3 above it.
type etcdClient struct{ kv pb.KVClient }

func (c etcdClient) put(key, value []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	_, err := c.kv.Put(ctx, &pb.PutRequest{Key: key, Value: value})
	return err
}

func (c etcdClient) get(key []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	reply, err := c.kv.Range(ctx, &pb.RangeRequest{Key: key})
	if err == nil && len(reply.Kvs) == 0 {
		err = errNotThere
	}
	return err
}

func dialEtcd(at place, clients, conns int) (*library, error) {
	var list []*grpc.ClientConn
	l := &library{close: func() (err error) {
		for _, c := range list {
			err = errors.Join(err, c.Close())
		}
		return err
	}}
	for range conns {
		c, err := grpc.NewClient(at.endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			return nil, errors.Join(err, l.close())
		}
		c.Connect()
		list = append(list, c)
	}
	for i := range clients {
		l.clients = append(l.clients, etcdClient{pb.NewKVClient(list[i%conns])})
	}
	return l, nil
}

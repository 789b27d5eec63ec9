package main

import (
	"context"
	"errors"
	"net/http"

	"github.com/hashicorp/consul/api"
)

// consulClient is the library's own for keys and values.
type consulClient struct{ kv *api.KV }

func (c consulClient) put(key, value []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	_, err := c.kv.Put(&api.KVPair{Key: string(key), Value: value}, (&api.WriteOptions{}).WithContext(ctx))
	return err
}

func (c consulClient) get(key []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	pair, _, err := c.kv.Get(string(key), (&api.QueryOptions{}).WithContext(ctx))
	if err == nil && pair == nil {
		err = errNotThere
	}
	return err
}

var errNotThere = errors.New("a key that was written is not there")

// dialConsul shares one transport, which holds a TCP connection a client, as the
// library wants to be used.
func dialConsul(at place, clients, conns int) (*library, error) {
	transport := &http.Transport{MaxConnsPerHost: conns, MaxIdleConnsPerHost: conns}
	c, err := api.NewClient(&api.Config{Address: at.endpoint, Scheme: "http", HttpClient: &http.Client{Transport: transport}})
	if err != nil {
		return nil, err
	}
	l := &library{close: func() error { transport.CloseIdleConnections(); return nil }}
	for range clients {
		l.clients = append(l.clients, consulClient{c.KV()})
	}
	return l, nil
}

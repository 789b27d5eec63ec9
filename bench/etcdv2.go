package main

import (
	"context"
	"encoding/base64"
	"net/http"

	v2 "go.etcd.io/etcd/client/v2"
)

// etcdV2Client is the library's own for keys. Values that are no text have to be
// made text.
type etcdV2Client struct{ keys v2.KeysAPI }

func (c etcdV2Client) put(key, value []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	_, err := c.keys.Set(ctx, "/"+string(key), base64.RawURLEncoding.EncodeToString(value), &v2.SetOptions{NoValueOnSuccess: true})
	return err
}

func (c etcdV2Client) get(key []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	_, err := c.keys.Get(ctx, "/"+string(key), nil)
	return err
}

func dialEtcdV2(at place, clients, conns int) (*library, error) {
	transport := &http.Transport{MaxConnsPerHost: conns, MaxIdleConnsPerHost: conns}
	c, err := v2.New(v2.Config{Endpoints: []string{"http://" + at.endpoint}, Transport: etcdV2Transport{transport}})
	if err != nil {
		return nil, err
	}
	l := &library{close: func() error { transport.CloseIdleConnections(); return nil }}
	for range clients {
		l.clients = append(l.clients, etcdV2Client{v2.NewKeysAPI(c)})
	}
	return l, nil
}

// etcdV2Transport has a method that the library asks for and does not call.
type etcdV2Transport struct{ *http.Transport }

// CancelRequest does nothing: contexts cancel.
func (etcdV2Transport) CancelRequest(*http.Request) {}

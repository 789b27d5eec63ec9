package main

import (
	"context"
	"math/rand/v2"
	"net"
	"strconv"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
)

// cassandraClient shares the session, which spreads requests over its
// connections. It writes the driver's table, with a revision as the driver does.
type cassandraClient struct{ session *gocql.Session }

func (c cassandraClient) put(key, value []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return c.session.Query("INSERT INTO kv (k, v, r) VALUES (?, ?, ?)", key, value, rand.Int64()).ExecContext(ctx)
}

func (c cassandraClient) get(key []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	var value []byte
	var revision int64
	return c.session.Query("SELECT v, r FROM kv WHERE k = ?", key).ScanContext(ctx, &value, &revision)
}

func dialCassandra(at place, clients, conns int) (*library, error) {
	host, port, err := net.SplitHostPort(at.endpoint)
	if err != nil {
		return nil, err
	}
	c := gocql.NewCluster(host)
	if c.Port, err = strconv.Atoi(port); err != nil {
		return nil, err
	}
	c.Keyspace, c.NumConns, c.Timeout = "kvscen", conns, timeout
	c.DisableInitialHostLookup = true
	session, err := c.CreateSession()
	if err != nil {
		return nil, err
	}
	l := &library{close: func() error { session.Close(); return nil }}
	for range clients {
		l.clients = append(l.clients, cassandraClient{session})
	}
	return l, nil
}

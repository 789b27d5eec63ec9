// Package consul is the driver of Consul's key-value store, on Consul's own
// client library.
//
// That library speaks HTTP/1.1, on which a connection carries one request at a
// time: clients that share a connection wait for one another, unless the option
// max_connections lets it open more. A request that has to be given up takes its
// TCP connection with it. Nothing is taken from CONSUL_* variables and no proxy
// is used.
package consul

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/consul/api"

	"github.com/kvscen/kvscen/drivers"
)

// Driver is the driver of Consul.
type Driver struct{}

var (
	_ drivers.Driver    = (*Driver)(nil)
	_ drivers.Metricser = (*Driver)(nil)
	_ drivers.Statuser  = (*conn)(nil)
)

// New makes the driver. It holds no state.
func New() *Driver { return &Driver{} }

const defaultDialTimeout = 5 * time.Second

// conn is one connection to one agent.
type conn struct {
	spec      drivers.Spec // with the options given
	kvOnly    bool         // nothing but single keys is served
	client    *api.Client
	kv        *api.KV
	transport *http.Transport
	life      context.Context // ends with Close
	end       context.CancelFunc
}

// Dial connects and sees that the agent answers. Whether there is a leader is
// for Status to say.
func (d *Driver) Dial(ctx context.Context, t drivers.Target) (drivers.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(t.Timeout, defaultDialTimeout))
	defer cancel()
	c, err := connect(t)
	if err != nil {
		return nil, fmt.Errorf("consul: connect to %s: %w", t.Endpoint, err)
	}
	if err = c.greet(ctx, t); err != nil {
		c.Close()
		return nil, fmt.Errorf("consul: connect to %s: %w", t.Endpoint, refusal(reason(err)))
	}
	if c.kvOnly {
		return kvConn{c}, nil
	}
	return c, nil
}

// greet sees that the other side answers.
func (c *conn) greet(ctx context.Context, t drivers.Target) error {
	if c.kvOnly {
		return c.answers(ctx)
	}
	if _, err := c.leader(ctx); err != nil || t.Password == "" {
		return err
	}
	return c.admitted(ctx)
}

func (c *conn) query(ctx context.Context) *api.QueryOptions {
	return (&api.QueryOptions{}).WithContext(ctx)
}

// admitted asks for a key, because an agent tells anybody who leads: that it
// does not know the token is better known now. A known one may well give no
// right to that key.
func (c *conn) admitted(ctx context.Context) error {
	_, _, err := c.kv.Get("kvscen", (&api.QueryOptions{AllowStale: true}).WithContext(ctx))
	if err != nil && strings.Contains(err.Error(), "ACL not found") {
		return fmt.Errorf("the token is not known: %w", err)
	}
	return nil
}

func connect(t drivers.Target) (*conn, error) {
	if _, _, err := net.SplitHostPort(t.Endpoint); err != nil {
		return nil, fmt.Errorf("want host:port: %w", err)
	}
	if t.User != "" {
		return nil, errors.New("there are no users in Consul: a token for access is given as the password, alone")
	}
	client, transport, err := newClient(t)
	if err != nil {
		return nil, err
	}
	given := spec().With(t.Options)
	kind := drivers.OptionOf[string](&given, t.Options, apiOption)
	if kind != apiFull && kind != apiKV {
		return nil, fmt.Errorf("option %s = %q: want %q or %q", apiOption, kind, apiFull, apiKV)
	}
	c := &conn{spec: given, kvOnly: kind == apiKV, client: client, kv: client.KV(), transport: transport}
	c.life, c.end = context.WithCancel(context.Background())
	return c, nil
}

// Close ends the connection; requests under way on it fail at once.
func (c *conn) Close() error {
	c.end()
	c.transport.CloseIdleConnections()
	return nil
}

// leader is the address of the server that leads; empty: there is none.
func (c *conn) leader(ctx context.Context) (string, error) {
	return c.client.Status().LeaderWithQueryOptions(c.query(ctx))
}

// Status asks the agent for its status. Servers are told apart by the address
// that they speak to each other at.
func (c *conn) Status(ctx context.Context) (drivers.Status, error) {
	leader, err := c.leader(ctx)
	if err != nil {
		return drivers.Status{}, fmt.Errorf("consul: ask for the leader: %w", reason(err))
	}
	agent, err := c.self(ctx)
	if err != nil {
		return drivers.Status{}, fmt.Errorf("consul: ask the agent for itself: %w", reason(err))
	}
	s := drivers.Status{Version: agent.Config.Version, ID: agent.Config.NodeID, Leader: leader}
	if port := agent.Member.Tags["port"]; port != "" { // it is a server
		s.ID = net.JoinHostPort(agent.Member.Addr, port)
	}
	s.Term, _ = strconv.ParseUint(agent.Stats.Raft["term"], 10, 64) // 0 where it is not said
	return s, nil
}

// agent is what an agent says of itself, as far as it is looked at.
type agent struct {
	Config struct{ Version, NodeID string }
	Member struct {
		Addr string
		Tags map[string]string
	}
	Stats struct {
		Raft map[string]string
	}
}

func (c *conn) self(ctx context.Context) (*agent, error) {
	var a agent
	_, err := c.client.Raw().Query("/v1/agent/self", &a, c.query(ctx))
	if err != nil {
		return nil, err
	}
	return &a, nil
}

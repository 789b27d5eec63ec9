// Package etcdv2 is the driver of etcd's v2 API, on etcd's client/v2.
//
// Each connection has an HTTP transport of its own, to one member, so that the
// TCP connections are as many as are asked for. What is sent is counted in
// Op.Attempts, the transport's own repetitions of reads included.
package etcdv2

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// Driver is the driver of etcd's v2 API.
type Driver struct{}

var (
	_ drivers.Driver    = (*Driver)(nil)
	_ drivers.Metricser = (*Driver)(nil)
	_ drivers.Statuser  = (*conn)(nil)
)

// New makes the driver. It holds no state.
func New() *Driver { return &Driver{} }

const (
	defaultDialTimeout = 5 * time.Second
	maxSockets         = 1 << 16
	maxStatus          = 1 << 20 // bytes of a reply about the member
)

// conn is one connection to one member.
type conn struct {
	url       string // of the member, without a slash at its end
	user      string // empty: requests are nobody's
	password  string
	transport *http.Transport
	ended     context.Context // once the connection is closed
	end       context.CancelFunc
	closed    atomic.Bool
}

// Dial opens a connection and sees that the member gives its status and that its
// v2 API is there.
func (d *Driver) Dial(ctx context.Context, t drivers.Target) (drivers.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(t.Timeout, defaultDialTimeout))
	defer cancel()
	c, err := connect(t)
	if err == nil {
		if _, err = c.Status(ctx); err != nil {
			c.Close()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("etcdv2: connect to %s: %w", t.Endpoint, err)
	}
	return c, nil
}

func connect(t drivers.Target) (*conn, error) {
	if _, _, err := net.SplitHostPort(t.Endpoint); err != nil {
		return nil, fmt.Errorf("want host:port: %w", err)
	}
	spec := spec()
	sockets := drivers.OptionOf[int64](&spec, t.Options, "sockets")
	if sockets < 1 || sockets > maxSockets {
		return nil, fmt.Errorf("option sockets = %d: want 1 to %d", sockets, maxSockets)
	}
	if t.User == "" && t.Password != "" {
		return nil, errors.New("a password without a user")
	}
	scheme, secured := "http", (*tls.Config)(nil)
	if t.TLS != nil {
		var err error
		if secured, err = t.TLS.Config(); err != nil {
			return nil, err
		}
		scheme = "https"
	}
	ended, end := context.WithCancel(context.Background())
	return &conn{
		url:  scheme + "://" + t.Endpoint,
		user: t.User, password: t.Password,
		ended: ended, end: end,
		transport: &http.Transport{ // without a proxy, whatever the environment says
			DialContext:         (&net.Dialer{}).DialContext,
			MaxConnsPerHost:     int(sockets),
			MaxIdleConns:        int(sockets),
			MaxIdleConnsPerHost: int(sockets),
			DisableCompression:  true,
			TLSClientConfig:     secured,
		},
	}, nil
}

// Close ends the connection; requests under way on it fail at once.
func (c *conn) Close() error {
	if !c.closed.Swap(true) {
		c.end()
		c.transport.CloseIdleConnections()
	}
	return nil
}

// Status asks the member for its version and whom it follows.
func (c *conn) Status(ctx context.Context) (drivers.Status, error) {
	var v struct {
		Server string `json:"etcdserver"`
	}
	if err := c.ask(ctx, "/version", &v); err != nil {
		return drivers.Status{}, err
	}
	var self struct {
		ID     string `json:"id"`
		Leader struct {
			ID string `json:"leader"`
		} `json:"leaderInfo"`
	}
	if err := c.ask(ctx, "/v2/stats/self", &self); err != nil {
		if errors.Is(err, errNotServed) {
			return drivers.Status{}, lacksAPI(v.Server)
		}
		return drivers.Status{}, err
	}
	s := drivers.Status{Version: v.Server, ID: self.ID, Leader: self.Leader.ID}
	if s.Leader == noLeader {
		s.Leader = ""
	}
	return s, nil
}

const noLeader = "0"

// errNotServed is an answer that there is no such page.
var errNotServed = errors.New("not served")

// lacksAPI explains why a member of a version serves no v2 API.
func lacksAPI(version string) error {
	var major, minor int
	if _, err := fmt.Sscanf(version, "%d.%d", &major, &minor); err == nil && (major > 3 || major == 3 && minor > 5) {
		return fmt.Errorf("%w: etcd %s has no v2 API, 3.5 was the last to have one", drivers.ErrUnfit, version)
	}
	return fmt.Errorf("%w: etcd %s serves the v2 API only if it is told to (--enable-v2)", drivers.ErrUnfit, version)
}

// authenticate says whose request it is.
func (c *conn) authenticate(r *http.Request) {
	if c.user != "" {
		r.SetBasicAuth(c.user, c.password)
	}
}

// ask reads one JSON document.
func (c *conn) ask(ctx context.Context, path string, into any) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.ended, cancel)()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+path, nil)
	if err != nil {
		return err
	}
	c.authenticate(request)
	reply, err := c.transport.RoundTrip(request)
	if err != nil {
		return fmt.Errorf("GET %s: %w", path, err)
	}
	defer reply.Body.Close()
	if reply.StatusCode == http.StatusNotFound {
		return fmt.Errorf("GET %s: %w", path, errNotServed)
	}
	if reply.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s: %s", path, reply.Status)
	}
	if err := json.NewDecoder(io.LimitReader(reply.Body, maxStatus)).Decode(into); err != nil {
		return fmt.Errorf("GET %s: %w", path, err)
	}
	return nil
}

// Package etcd is the driver of etcd's v3 API, on etcd's client/v3.
//
// That library makes the connection, secures it, logs in and renews the token.
// Requests are sent by the generated client of etcd's API on its connection,
// because their messages can be used again. Here one connection is one TCP
// connection to one member, nothing is repeated unseen, and what is sent is
// counted in Op.Attempts.
package etcd

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/kvscen/kvscen/drivers"
)

// Driver is the driver of etcd.
type Driver struct{}

var (
	_ drivers.Driver    = (*Driver)(nil)
	_ drivers.Metricser = (*Driver)(nil)
	_ drivers.Statuser  = (*conn)(nil)
)

// New makes the driver. It holds no state.
func New() *Driver { return &Driver{} }

const defaultDialTimeout = 5 * time.Second

// Dial opens one TCP connection, logs in where a user is given, and sees that the
// member gives its status and takes a read.
func (d *Driver) Dial(ctx context.Context, t drivers.Target) (drivers.Conn, error) {
	t.Timeout = cmp.Or(t.Timeout, defaultDialTimeout)
	ctx, cancel := context.WithTimeoutCause(ctx, t.Timeout, fmt.Errorf("no answer within %v", t.Timeout))
	defer cancel()
	c, err := connect(ctx, t)
	if err == nil {
		err = c.prove(ctx)
	}
	if err != nil {
		// What was under way when the time was up depends on chance.
		err = cmp.Or(context.Cause(ctx), err)
		return nil, fmt.Errorf("etcd: connect to %s: %w", t.Endpoint, err)
	}
	return c, nil
}

// conn is one connection to one member.
type conn struct {
	client *clientv3.Client
	kv     pb.KVClient
	lease  pb.LeaseClient
	member pb.MaintenanceClient
	closed atomic.Bool

	user     bool          // requests carry a token
	logins   atomic.Int64  // done after that of Dial
	renewing chan struct{} // held by the one that logs in
}

// connect prepares the connection and logs in where a user is given.
func connect(ctx context.Context, t drivers.Target) (*conn, error) {
	if _, _, err := net.SplitHostPort(t.Endpoint); err != nil {
		return nil, fmt.Errorf("want host:port: %w", err)
	}
	config, err := clientConfig(ctx, t)
	if err != nil {
		return nil, err
	}
	client, err := clientv3.New(*config)
	if err != nil {
		err = reason(err)
		if t.User != "" {
			err = fmt.Errorf("log in as %q: %w", t.User, err)
		}
		return nil, err
	}
	c := client.ActiveConnection()
	return &conn{
		client:   client,
		kv:       pb.NewKVClient(c),
		lease:    pb.NewLeaseClient(c),
		member:   pb.NewMaintenanceClient(c),
		user:     t.User != "",
		renewing: make(chan struct{}, 1),
	}, nil
}

// prove sees that the member answers; otherwise c is closed.
func (c *conn) prove(ctx context.Context) (err error) {
	defer func() {
		if err != nil {
			c.Close()
		}
	}()
	if _, err := c.Status(ctx); err != nil {
		return reason(err)
	}
	return c.admitted(ctx)
}

// admitted asks for a key, because a member gives its status to anybody: where
// users are required and none was given, that is better known now. A known user
// may well have no right to that key.
func (c *conn) admitted(ctx context.Context) error {
	_, err := c.kv.Range(ctx, &pb.RangeRequest{Key: firstKey, Serializable: true, KeysOnly: true}, grpc.WaitForReady(false))
	if err != nil && status.Code(err) != codes.PermissionDenied {
		return fmt.Errorf("read a key: %w", reason(err))
	}
	return nil
}

// Close ends the connection; requests under way on it fail at once.
func (c *conn) Close() error {
	if c.closed.Swap(true) {
		return nil
	}
	return c.client.Close()
}

// Status asks the member for its status.
func (c *conn) Status(ctx context.Context) (drivers.Status, error) {
	// A member that can't be reached is an answer too: do not wait for it.
	r, err := c.member.Status(ctx, &pb.StatusRequest{}, grpc.WaitForReady(false))
	if err != nil {
		return drivers.Status{}, fmt.Errorf("status: %w", err)
	}
	s := drivers.Status{
		Version: r.Version,
		ID:      fmt.Sprintf("%x", r.Header.GetMemberId()),
		DBSize:  r.DbSize,
		Term:    r.RaftTerm,
	}
	if r.Leader != 0 {
		s.Leader = fmt.Sprintf("%x", r.Leader)
	}
	return s, nil
}

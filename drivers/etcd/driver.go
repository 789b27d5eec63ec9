// Package etcd is the driver of etcd's v3 API.
//
// It speaks through the generated gRPC client of etcd's API module, not through
// the client/v3 package around it: that one spreads requests over all endpoints,
// opening a connection to each, and repeats a Range up to a hundred times inside
// one call. Here one connection is one TCP connection to one member, and what is
// sent is counted in Op.Attempts.
package etcd

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
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
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(t.Timeout, defaultDialTimeout))
	defer cancel()
	c, err := connect(t)
	if err == nil {
		err = c.prove(ctx, t)
	}
	if err != nil {
		return nil, fmt.Errorf("etcd: connect to %s: %w", t.Endpoint, err)
	}
	return c, nil
}

// conn is one connection to one member.
type conn struct {
	grpc   *grpc.ClientConn
	kv     pb.KVClient
	lease  pb.LeaseClient
	member pb.MaintenanceClient
	auth   *login // nil: no user
	closed atomic.Bool
}

// connect prepares the connection; nothing is sent yet.
func connect(t drivers.Target) (*conn, error) {
	if _, _, err := net.SplitHostPort(t.Endpoint); err != nil {
		return nil, fmt.Errorf("want host:port: %w", err)
	}
	options, err := dialOptions(t)
	if err != nil {
		return nil, err
	}
	c := &conn{}
	if t.User != "" {
		c.auth = &login{user: t.User, password: t.Password}
		options = append(options, grpc.WithPerRPCCredentials(c.auth))
	}
	// passthrough: the address is dialled as it is, without a resolver that
	// might turn one name into several connections.
	c.grpc, err = grpc.NewClient("passthrough:///"+t.Endpoint, options...)
	if err != nil {
		return nil, err
	}
	if c.auth != nil {
		c.auth.client = pb.NewAuthClient(c.grpc)
	}
	c.kv, c.lease, c.member = pb.NewKVClient(c.grpc), pb.NewLeaseClient(c.grpc), pb.NewMaintenanceClient(c.grpc)
	return c, nil
}

// prove logs in and sees that the member answers; otherwise c is closed.
func (c *conn) prove(ctx context.Context, t drivers.Target) (err error) {
	defer func() {
		if err != nil {
			c.grpc.Close()
		}
	}()
	if c.auth != nil {
		if err := c.auth.refresh(ctx, ""); err != nil {
			return fmt.Errorf("log in as %q: %w", t.User, reason(ctx, err))
		}
	}
	if _, err := c.Status(ctx); err != nil {
		return reason(ctx, err)
	}
	return c.admitted(ctx)
}

// admitted asks for a key, because a member gives its status to anybody: where
// users are required and none was given, that is better known now. A known user
// may well have no right to that key.
func (c *conn) admitted(ctx context.Context) error {
	_, err := c.kv.Range(ctx, &pb.RangeRequest{Key: firstKey, Serializable: true, KeysOnly: true}, grpc.WaitForReady(false))
	if err != nil && status.Code(err) != codes.PermissionDenied {
		return fmt.Errorf("read a key: %w", reason(ctx, err))
	}
	return nil
}

// Close ends the connection; requests under way on it fail at once.
func (c *conn) Close() error {
	if c.closed.Swap(true) {
		return nil
	}
	return c.grpc.Close()
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

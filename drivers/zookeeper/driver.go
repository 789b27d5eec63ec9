// Package zookeeper is the driver of ZooKeeper, on go-zookeeper/zk.
//
// One connection is one session with one member; the library renews it when it
// is lost, with the same member or, where the option failover allows it, with the
// next one, and repeats no request. Its calls take no context. They are made in
// the goroutine of the client all the same, for another one would cost a third of
// a request: what is late is ended from below, where we hold the TCP connection
// of the library.
//
// A key is the path of a node: slashes part its levels, and what a path can't
// hold is escaped. Nodes above a key that were not written themselves hold no
// data, and are read as missing keys.
package zookeeper

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/kvscen/kvscen/drivers"
)

// Driver is the driver of ZooKeeper.
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
	// closeGrace is how long a session is given to be closed by the member; left
	// open, it would be expired there later.
	closeGrace = 50 * time.Millisecond
)

// conn is one session with one member.
type conn struct {
	endpoint string
	settings settings
	zk       *zk.Conn
	link     *link
	answered atomic.Int64 // bytes of the largest request that was answered
	closed   chan struct{}
	once     sync.Once
}

// Dial opens one session with one member.
func (d *Driver) Dial(ctx context.Context, t drivers.Target) (drivers.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(t.Timeout, defaultDialTimeout))
	defer cancel()
	c, err := connect(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("zookeeper: connect to %s: %w", t.Endpoint, err)
	}
	return c, nil
}

func connect(ctx context.Context, t drivers.Target) (*conn, error) {
	if _, _, err := net.SplitHostPort(t.Endpoint); err != nil {
		return nil, fmt.Errorf("want host:port: %w", err)
	}
	s, err := settingsOf(t)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	over, err := newTransport(t.TLS)
	if err != nil {
		return nil, err
	}
	c := &conn{endpoint: t.Endpoint, settings: s, link: newLink(over, s.maxReply), closed: make(chan struct{})}
	c.zk, _, err = zk.Connect([]string{t.Endpoint}, s.sessionTimeout,
		func(z *zk.Conn) { c.link.zk = z },
		zk.WithDialer(c.link.dial),
		zk.WithHostProvider(newMembers(t.Endpoint, t.Others, s.failover)),
		zk.WithEventCallback(c.link.event),
		zk.WithLogger(silence{}),
		zk.WithLogInfo(false),
		zk.WithMaxConnBufferSize(firstBuffer),
	)
	if err != nil {
		return nil, err
	}
	err = c.admit(ctx)
	if err == nil {
		err = c.logIn(ctx, t.User, t.Password)
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// admit waits for the session.
func (c *conn) admit(ctx context.Context) error {
	select {
	case <-c.link.session():
		return nil
	case <-c.link.failed:
		return c.link.reason(nil)
	case <-ctx.Done():
		return c.link.reason(ctx.Err())
	}
}

// Close ends the session; requests under way on it fail at once. Where the
// member does not answer, the library may go on waiting for it unseen, for some
// three seconds.
func (c *conn) Close() error {
	c.once.Do(func() {
		close(c.closed)
		grace := time.Duration(0)
		if c.link.isUp() {
			grace = closeGrace
		}
		done := make(chan struct{})
		go func() {
			c.zk.Close()
			close(done)
		}()
		wait := time.NewTimer(grace)
		defer wait.Stop()
		select {
		case <-done:
		case <-wait.C:
		}
		c.link.close()
	})
	return nil
}

// silence takes the library's messages, which would go into our output. What
// they say of failures comes back with the requests too.
type silence struct{}

func (silence) Printf(string, ...any) {}

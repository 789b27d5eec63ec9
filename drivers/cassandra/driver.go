// Package cassandra is the driver of Apache Cassandra, on its own Go client.
//
// One connection is a session of that library with one member, held to a single
// TCP connection for requests; the library opens a second one beside it, on which
// it listens and sends no request of ours. With the option token_aware a
// connection is a session with the whole cluster instead: one TCP connection to
// each member, and the second one.
//
// Keys are rows of a table. By default each is a partition of its own; with the
// option partitions they are spread by their hash over that many partitions, in
// each of which they stand in order, so that they can be scanned. Cassandra has
// no revision of a row that a condition could name: each write gives its row a
// random one, in a column of its own.
//
// Conditional writes carry the time of the server, in some versions of whole
// milliseconds, and plain ones that of the client; the later time wins, whatever
// came first. So that a swap is never older than the write before it, plain
// writes are dated back by a millisecond. A plain write within a millisecond
// after a swap may be lost: Cassandra's own advice is not to mix the two.
package cassandra

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/kvscen/kvscen/drivers"
)

// Driver is the driver of Cassandra.
type Driver struct {
	// setUp is held by the one connection that sets the schema up: two members
	// that make the same table at the same time make two of them.
	setUp chan struct{}
}

var (
	_ drivers.Driver    = (*Driver)(nil)
	_ drivers.Metricser = (*Driver)(nil)
	_ drivers.Statuser  = (*conn)(nil)
)

// New makes the driver. It holds no connection.
func New() *Driver { return &Driver{setUp: make(chan struct{}, 1)} }

const (
	defaultDialTimeout = 5 * time.Second
	// closeGrace is how long the library is given to end its goroutines.
	closeGrace = 50 * time.Millisecond
)

var errClosed = errors.New("the connection was closed")

// conn is one session.
type conn struct {
	settings settings
	session  *gocql.Session
	link     *link
	local    local           // the member that was dialled
	prepared sync.Map        // texts of statements
	life     context.Context // ends with Close
	end      context.CancelFunc
	once     sync.Once
}

// Dial connects to one member, and sets the keyspace and the table up where they
// are missing.
func (d *Driver) Dial(ctx context.Context, t drivers.Target) (drivers.Conn, error) {
	t.Timeout = cmp.Or(t.Timeout, defaultDialTimeout)
	ctx, cancel := context.WithTimeoutCause(ctx, t.Timeout, fmt.Errorf("no answer within %v", t.Timeout))
	defer cancel()
	c, err := d.connect(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("cassandra: connect to %s: %w", t.Endpoint, err)
	}
	return c, nil
}

func (d *Driver) connect(ctx context.Context, t drivers.Target) (*conn, error) {
	s, err := settingsOf(t.Options)
	if err != nil {
		return nil, err
	}
	c, err := open(ctx, t, s, false)
	if err != nil {
		return nil, err
	}
	if err := d.prepareSchema(ctx, c); err != nil {
		c.Close()
		return nil, wanted(ctx, err)
	}
	if !s.tokenAware {
		return c, nil
	}
	// The library learns where keys are when it connects, of keyspaces that are
	// there by then.
	c.Close()
	return open(ctx, t, s, true)
}

// open makes a session and asks the member who it is.
func open(ctx context.Context, t drivers.Target, s settings, wide bool) (*conn, error) {
	_, port, err := net.SplitHostPort(t.Endpoint)
	if err != nil {
		return nil, fmt.Errorf("want host:port: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	c := &conn{settings: s}
	c.life, c.end = context.WithCancel(context.Background())
	if c.link, err = newLink(c.life, t, wide); err == nil {
		c.session, err = newSession(ctx, t, s, port, c.link)
	}
	if err == nil {
		c.local, err = c.self(ctx)
	}
	if err != nil {
		c.Close()
		return nil, wanted(ctx, err)
	}
	return c, nil
}

// wanted puts the reason why a context ended in the place of its error, where
// that is what failed, behind what was tried.
func wanted(ctx context.Context, err error) error {
	end := ctx.Err()
	if end == nil || !errors.Is(err, end) {
		return err
	}
	if tried, ok := strings.CutSuffix(err.Error(), ": "+end.Error()); ok {
		return fmt.Errorf("%s: %w", tried, context.Cause(ctx))
	}
	return context.Cause(ctx)
}

// Close ends the session; requests under way on it fail at once.
func (c *conn) Close() error {
	c.once.Do(func() {
		c.end()
		if c.link != nil {
			c.link.cut()
		}
		if c.session == nil {
			return
		}
		done := make(chan struct{})
		// It waits for its goroutines, which may be just connecting: they end
		// soon, for nothing can be dialled any more.
		go func() {
			c.session.Close()
			close(done)
		}()
		select {
		case <-done:
		case <-time.After(closeGrace):
		}
	})
	return nil
}

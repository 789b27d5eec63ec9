package cassandra

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/kvscen/kvscen/drivers"
)

// reconnect is the time between two looks at whether a member that was down is
// back, in a session with several.
const reconnect = time.Second

// newSession connects. The library takes no context for that: where ctx ends
// first, the session is left to find that it can't dial, and to be closed.
func newSession(ctx context.Context, t drivers.Target, s settings, port string, l *link) (*gocql.Session, error) {
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return nil, fmt.Errorf("port %q: want a number up to 65535", port)
	}
	cluster := configure(t, s, int(number), l)
	type result struct {
		session *gocql.Session
		err     error
	}
	done := make(chan result, 1)
	go func() {
		session, err := cluster.CreateSession()
		done <- result{session, err}
	}()
	select {
	case r := <-done:
		return r.session, l.reason(r.err)
	case <-ctx.Done():
	}
	l.cut()
	go func() {
		if r := <-done; r.session != nil {
			r.session.Close()
		}
	}()
	return nil, ctx.Err()
}

// configure turns off what the library does by itself: it repeats nothing, waits
// for no further requests before it sends one, and has no time limit of its own,
// because each request comes with a context.
func configure(t drivers.Target, s settings, port int, l *link) *gocql.ClusterConfig {
	c := gocql.NewCluster(t.Endpoint)
	c.Port = port
	c.ProtoVersion = s.protocol
	c.NumConns = 1
	c.HostDialer = l
	c.ConnectTimeout = t.Timeout
	c.Timeout = 0
	c.WriteCoalesceWaitTime = 0
	c.MaxWaitSchemaAgreement = t.Timeout
	c.DefaultTimestamp = false
	c.PageSize = s.pageSize
	c.NextPagePrefetch = 0
	c.RetryPolicy = nil
	c.ReconnectionPolicy = once{}
	c.ReconnectInterval = reconnect
	c.StreamObserver = counter{}
	c.Events.DisableSchemaEvents = true
	if t.User != "" {
		c.Authenticator = gocql.PasswordAuthenticator{Username: t.User, Password: t.Password}
	}
	c.HostFilter = &l.members
	if l.wide {
		c.PoolConfig.HostSelectionPolicy = gocql.TokenAwareHostPolicy(gocql.RoundRobinHostPolicy(), gocql.ShuffleReplicas())
		c.Metadata.CacheMode = gocql.KeyspaceOnly
		return c
	}
	c.ConvictionPolicy = lenient{}
	c.Metadata.CacheMode = gocql.Disabled
	c.Events.DisableNodeStatusEvents = true
	c.Events.DisableTopologyEvents = true
	return c
}

// members remembers the first member that the library asks about, which is the
// one that it is connected to. It lets no other through unless it is wide.
type members struct {
	wide bool

	mu sync.Mutex
	id string
}

// Accept reports whether a member may be connected to.
func (m *members) Accept(h *gocql.HostInfo) bool {
	own := m.first(h.HostID())
	return m.wide || h.HostID() == own
}

// first is the id of the first member; with an id, that becomes it if there is none.
func (m *members) first(id string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.id == "" {
		m.id = id
	}
	return m.id
}

// lenient never takes the one member for lost: each request that finds no
// connection makes the library try for one.
type lenient struct{}

func (lenient) AddFailure(error, *gocql.HostInfo) bool { return false }
func (lenient) Reset(*gocql.HostInfo)                  {}

// once tries to connect a single time; the next request tries again.
type once struct{}

func (once) GetInterval(int) time.Duration { return 0 }
func (once) GetMaxRetries() int            { return 1 }

// plain is what the library says without the layers that it wraps around it.
func plain(err error) error {
	text := err.Error()
	for _, layer := range []string{
		"gocql: unable to create session: ", "unable to discover protocol version: ",
		"unable to connect to initial hosts: ", "gocql: ",
	} {
		text = strings.TrimPrefix(text, layer)
	}
	return errors.New(text)
}

package cassandra

import (
	"context"
	"crypto/tls"
	"net"
	"sync"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/kvscen/kvscen/drivers"
)

// link makes the TCP connections of a session.
type link struct {
	life     context.Context
	endpoint string
	tls      *tls.Config // nil: plain text
	wide     bool        // to each member, not to the endpoint alone
	members  members     // that the library has asked about

	mu    sync.Mutex
	over  bool
	open  map[*wire]bool
	cause error // of the last dial that failed
}

func newLink(life context.Context, t drivers.Target, wide bool) (*link, error) {
	l := &link{life: life, endpoint: t.Endpoint, wide: wide, members: members{wide: wide}, open: map[*wire]bool{}}
	if t.TLS == nil {
		return l, nil
	}
	var err error
	l.tls, err = t.TLS.Config()
	return l, err
}

// DialHost connects for the library.
func (l *link) DialHost(ctx context.Context, h *gocql.HostInfo) (*gocql.DialedHost, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(l.life, cancel)()
	address := l.endpoint
	if l.wide {
		address = h.ConnectAddressAndPort()
	}
	raw, err := (&net.Dialer{Timeout: defaultDialTimeout}).DialContext(ctx, "tcp", address)
	if err == nil && l.tls != nil {
		var wrapped *gocql.DialedHost
		if wrapped, err = gocql.WrapTLS(ctx, raw, address, l.tls); err == nil {
			raw = wrapped.Conn
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.cause = err
		return nil, err
	}
	if l.over {
		raw.Close()
		return nil, errClosed
	}
	w := newWire(raw, l)
	l.open[w] = true
	return &gocql.DialedHost{Conn: w, DisableCoalesce: true}, nil
}

func (l *link) forget(w *wire) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, w)
}

// reason is why no session could be made: where nothing was connected it is what
// the system says, of which the library gives the words alone.
func (l *link) reason(err error) error {
	if err == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cause != nil {
		return l.cause
	}
	return plain(err)
}

// cut ends all connections and lets no new one be made.
func (l *link) cut() {
	l.mu.Lock()
	l.over = true
	var open []*wire
	for w := range l.open {
		open = append(open, w)
	}
	l.mu.Unlock()
	for _, w := range open {
		_ = w.Close() // lost in any case
	}
}

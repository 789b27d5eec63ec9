package etcdv2

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"

	v2 "go.etcd.io/etcd/client/v2"

	"github.com/kvscen/kvscen/drivers"
)

// client carries out the requests of one virtual client.
type client struct {
	conn *conn
	ops  []drivers.OpSpec
	keys v2.KeysAPI
	sent *counter

	phase context.Context          // that calls was made from
	calls *drivers.DeadlineContext // of its requests, until one has to be given up; nil: to be made
	stop  func() bool              // ends the watch for the end of the connection
}

// counter passes requests on and counts how often they are written: the
// transport repeats a read by itself when its connection was closed meanwhile.
type counter struct {
	transport *http.Transport
	n         atomic.Int64
	trace     httptrace.ClientTrace
	traced    context.Context // with trace, for the library's requests, which come without a context
}

func newCounter(t *http.Transport) *counter {
	c := &counter{transport: t}
	c.trace.WroteRequest = func(httptrace.WroteRequestInfo) { c.n.Add(1) }
	c.traced = httptrace.WithClientTrace(context.Background(), &c.trace)
	return c
}

func (c *counter) RoundTrip(r *http.Request) (*http.Response, error) {
	traced := c.traced
	if own := r.Context(); own != context.Background() {
		traced = httptrace.WithClientTrace(own, &c.trace)
	}
	return c.transport.RoundTrip(r.WithContext(traced))
}

// CancelRequest is what the library asks of a transport and does not call: it
// ends requests by their Cancel channel.
func (c *counter) CancelRequest(*http.Request) {}

// Client binds the operations of a phase.
func (c *conn) Client(ops []drivers.OpSpec) (drivers.Client, error) {
	spec := spec()
	for i := range ops {
		if err := check(&spec, &ops[i]); err != nil {
			return nil, fmt.Errorf("etcdv2: operation %d: %w", i, err)
		}
	}
	sent := newCounter(c.transport)
	api, err := v2.New(v2.Config{Endpoints: []string{c.url}, Transport: sent, CheckRedirect: noRedirect, Username: c.user, Password: c.password})
	if err != nil {
		return nil, fmt.Errorf("etcdv2: %w", err)
	}
	return &client{conn: c, ops: ops, keys: v2.NewKeysAPI(api), sent: sent}, nil
}

func noRedirect(int) error { return errors.New("the member sends us elsewhere") }

func check(spec *drivers.Spec, op *drivers.OpSpec) error {
	info := spec.Op(op.Kind)
	if info == nil {
		return fmt.Errorf("%v can't be done here", op.Kind)
	}
	if _, ok := info.Resolve(op.Consistency); !ok {
		return fmt.Errorf("%v has no consistency %q", op.Kind, op.Consistency)
	}
	if op.Limit != 0 {
		return fmt.Errorf("%v has no limit", op.Kind)
	}
	if op.KeysOnly {
		return fmt.Errorf("%v reads values with the keys", op.Kind)
	}
	if op.TTL < 0 || op.TTL%time.Second != 0 {
		return fmt.Errorf("ttl %v: want whole seconds", op.TTL)
	}
	return nil
}

// Do carries out one request.
func (c *client) Do(ctx context.Context, op *drivers.Op) error {
	op.Reset()
	c.prepare(ctx)
	if late := !op.Deadline.IsZero() && !time.Now().Before(op.Deadline); late || ctx.Err() != nil || c.conn.closed.Load() {
		return c.failure(ctx, late, op, errors.New("it was not sent"))
	}
	c.calls.Begin(op.Deadline)
	before := c.sent.n.Load()
	err := c.send(c.calls, &c.ops[op.Spec], op)
	c.calls.End()
	attempts := int(c.sent.n.Load() - before)
	if err != nil {
		op.Reset()
		err = c.failure(ctx, c.calls.Err() != nil, op, err)
	}
	op.Attempts = attempts
	return err
}

// prepare sees that calls is of the phase and has not ended.
func (c *client) prepare(ctx context.Context) {
	if c.calls != nil && c.phase == ctx && c.calls.Err() == nil {
		return
	}
	if c.calls != nil {
		c.stop()
	}
	calls := drivers.NewDeadlineContext(ctx)
	c.stop = context.AfterFunc(c.conn.ended, func() { calls.Cancel(errors.New("the connection was closed")) })
	c.phase, c.calls = ctx, calls
}

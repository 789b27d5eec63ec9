package cassandra

import (
	"context"
	"errors"
	"fmt"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/kvscen/kvscen/drivers"
)

// operation is one kind of request with all that the requests of a phase have
// in common. It serves one goroutine.
type operation interface {
	// do sends the request and fills in the results of op.
	do(c *calls, op *drivers.Op) error
}

// calls is what the requests of one virtual client have in common: a context,
// which also counts what the library sends under it. It serves until one of them
// has to be given up.
type calls struct {
	*drivers.DeadlineContext
	conn *conn
	sent int         // requests since the count was last set back
	stop func() bool // ends the watch for the end of the connection
}

func newCalls(phase context.Context, c *conn) *calls {
	s := &calls{DeadlineContext: drivers.NewDeadlineContext(phase), conn: c}
	s.stop = context.AfterFunc(c.life, func() { s.Cancel(errClosed) })
	return s
}

// counter is told by the library of each request that it sends, in the goroutine
// of the one that waits for it. It sends one again by itself where the member has
// forgotten the statement.
type counter struct{}

// StreamContext finds who counts; nil: nobody.
func (counter) StreamContext(ctx context.Context) gocql.StreamObserverContext {
	if c, ok := ctx.(*calls); ok {
		return c
	}
	return nil
}

// StreamStarted counts a request.
func (c *calls) StreamStarted(gocql.ObservedStream) { c.sent++ }

// StreamAbandoned and StreamFinished come at any time, from other goroutines.
func (*calls) StreamAbandoned(gocql.ObservedStream) {}

// StreamFinished is of no interest.
func (*calls) StreamFinished(gocql.ObservedStream) {}

// client carries out the requests of one virtual client.
type client struct {
	conn  *conn
	ops   []operation
	phase context.Context // that calls was made from
	calls *calls          // nil: to be made
}

// Client binds the operations of a phase: their statements are prepared here.
func (c *conn) Client(ops []drivers.OpSpec) (drivers.Client, error) {
	bound := make([]operation, len(ops))
	for i := range ops {
		o, err := c.bind(&ops[i])
		if err != nil {
			return nil, fmt.Errorf("cassandra: operation %d: %w", i, err)
		}
		bound[i] = o
	}
	return &client{conn: c, ops: bound}, nil
}

func (c *conn) bind(spec *drivers.OpSpec) (operation, error) {
	store := c.settings.spec
	info := store.Op(spec.Kind)
	if info == nil {
		return nil, fmt.Errorf("%v can't be done here", spec.Kind)
	}
	if info.Refused != "" {
		return nil, fmt.Errorf("%v: %s", spec.Kind, info.Refused)
	}
	name, ok := info.Resolve(spec.Consistency)
	if !ok {
		return nil, fmt.Errorf("%v has no consistency %q", spec.Kind, spec.Consistency)
	}
	level, err := consistencyOf(name)
	if err != nil {
		return nil, err
	}
	p := &preparer{conn: c, level: level}
	var o operation
	switch spec.Kind {
	case drivers.Put:
		o, err = newPut(p, spec)
	case drivers.Get:
		o = newGet(p, spec.Keep)
	case drivers.Exists:
		o = newExists(p)
	case drivers.Delete:
		o = newRemove(p)
	case drivers.Scan:
		o, err = newScan(p, spec)
	case drivers.CAS:
		o = newCAS(p, spec.Absent)
	case drivers.Txn:
		o, err = newTxn(p, spec)
	}
	return o, errors.Join(err, p.err)
}

// Do carries out one request.
func (c *client) Do(ctx context.Context, op *drivers.Op) error {
	op.Reset()
	switch {
	case c.conn.life.Err() != nil:
		return fail(drivers.Unavailable, errClosed)
	case !op.Deadline.IsZero() && !time.Now().Before(op.Deadline):
		return fail(drivers.Timeout, errors.New("the deadline had passed before the request was sent"))
	}
	c.prepare(ctx)
	c.calls.sent = 0
	c.calls.Begin(op.Deadline)
	err := c.ops[op.Spec].do(c.calls, op)
	c.calls.End()
	if err != nil {
		op.Reset()
		err = c.failure(ctx, err)
	}
	op.Attempts = c.calls.sent
	return err
}

// prepare sees that calls is of the phase and has not ended.
func (c *client) prepare(ctx context.Context) {
	if c.calls != nil && c.phase == ctx && c.calls.Err() == nil {
		return
	}
	if c.calls != nil {
		c.calls.stop()
	}
	c.phase, c.calls = ctx, newCalls(ctx, c.conn)
}

// failure says what a failed request is counted as.
func (c *client) failure(ctx context.Context, err error) error {
	if own, ok := errors.AsType[*drivers.Error](err); ok {
		return own
	}
	switch {
	case c.conn.life.Err() != nil:
		return fail(drivers.Unavailable, errClosed)
	case ctx.Err() != nil:
		return fail(drivers.Other, fmt.Errorf("cancelled: %w", context.Cause(ctx)))
	case c.calls.Err() != nil:
		return fail(drivers.Timeout, errors.New("no answer by the deadline"))
	}
	return fail(classify(err), c.conn.link.worded(err))
}

func fail(class drivers.Class, err error) error {
	return &drivers.Error{Class: class, Err: fmt.Errorf("cassandra: %w", err)}
}

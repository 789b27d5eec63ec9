package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	firstPause = 10 * time.Millisecond // between two looks at a process that is not ready
	lastPause  = 250 * time.Millisecond
	lookLimit  = 2 * time.Second // for one look
)

// A probe looks once whether a process is ready; the error says why it is not.
type probe func(ctx context.Context) error

// awaitReady looks at a process until it is ready, ends, or ctx does. from is
// where its log begins.
func (c *Cluster) awaitReady(ctx context.Context, u *unit, from int64) error {
	look, err := c.probeOf(u, from)
	if err != nil {
		return err
	}
	var last error
	for pause := firstPause; ; pause = min(pause*3/2, lastPause) {
		// A look that the deadline cut short tells less than the one before.
		if why := once(ctx, look); why == nil || last == nil || ctx.Err() == nil {
			last = why
		}
		select {
		case <-u.process.Done():
			return ended(u.process.Err())
		default:
		}
		if last == nil {
			return nil
		}
		select {
		case <-u.process.Done():
			return ended(u.process.Err())
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", context.Cause(ctx), last)
		case <-time.After(pause):
		}
	}
}

// once looks, but not for ever.
func once(ctx context.Context, look probe) error {
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	return look(ctx)
}

// ended tells the end of a process that was never ready.
func ended(err error) error {
	if err == nil {
		err = errors.New("exited with status 0")
	}
	return fmt.Errorf("ended before it was ready: %w", err)
}

// probeOf makes the probe that the plan asks for.
func (c *Cluster) probeOf(u *unit, from int64) (probe, error) {
	if u.probe == nil {
		return func(context.Context) error { return nil }, nil
	}
	switch r := u.probe; r.Kind {
	case "tcp":
		return probeTCP(r.Addr), nil
	case "http":
		return probeHTTP(*r)
	case "log":
		return probeLog(u, from, r.Regexp)
	case "exec":
		return c.probeExec(u, *r), nil
	default:
		return nil, fmt.Errorf("there is no readiness of kind %q", r.Kind)
	}
}

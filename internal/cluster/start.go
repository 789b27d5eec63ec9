package cluster

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/kvscen/kvscen/internal/host"
)

// defaultReady is the time that set-up may take if the plan does not say.
const defaultReady = time.Minute

// start starts every process, each when those before it are ready, and waits
// until all are. If one fails the rest are stopped, and its error is the one
// returned.
func (c *Cluster) start(ctx context.Context, limit time.Duration) error {
	limit = cmp.Or(limit, defaultReady)
	ready, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("not ready within %v", limit))
	defer cancel()
	ready, fail := context.WithCancelCause(ready)
	defer fail(nil)
	errs := make([]error, len(c.units))
	var all sync.WaitGroup
	for i, u := range c.units {
		all.Go(func() {
			if errs[i] = c.bringUp(ready, u); errs[i] != nil {
				fail(errs[i])
			}
		})
	}
	all.Wait()
	if err := c.firstCause(context.Cause(ready), errs); err != nil {
		// What goes wrong while a failed cluster is stopped adds nothing. A
		// caller who has given up does not wait for graces, either.
		_ = c.Stop(ctx)
		return err
	}
	for _, u := range c.units {
		m := &c.members[u.member]
		m.PIDs = append(m.PIDs, u.process.PID())
	}
	c.watch()
	return nil
}

// firstCause picks the error to report: the one that the others followed from.
// When time ran out that is of a process which had started.
func (c *Cluster) firstCause(cause error, errs []error) error {
	var first error
	for i, err := range errs {
		switch {
		case err == nil:
		case err == cause:
			return err
		case first == nil && c.units[i].process != nil:
			first = err
		}
	}
	if first == nil {
		first = cmp.Or(errs...)
	}
	return first
}

// bringUp starts a process and waits until it is ready.
func (c *Cluster) bringUp(ctx context.Context, u *unit) error {
	for _, first := range u.after {
		select {
		case <-first.ready:
		case <-ctx.Done():
			return u.blame(context.Cause(ctx))
		}
	}
	// The log may be of an earlier life of this member.
	from, err := host.Local{}.FileSize(u.log)
	if err != nil {
		return u.blame(fmt.Errorf("read its log: %w", err))
	}
	p, err := u.at.machine.Start(ctx, u.command)
	if err != nil {
		return c.withLog(u, err)
	}
	u.process = p
	if err := c.awaitReady(ctx, u, from); err != nil {
		return c.withLog(u, err)
	}
	close(u.ready)
	return nil
}

// withLog blames a process and shows the end of its log.
func (c *Cluster) withLog(u *unit, err error) *Error {
	e := u.blame(err)
	// Without a log the error still says what happened.
	e.LastLines = u.lastLines()
	return e
}

// watch reports, from now on, each process that ends unasked.
func (c *Cluster) watch() {
	for _, u := range c.units {
		c.watchers.Go(func() {
			select {
			case <-u.process.Done():
			case <-u.stopped:
				return
			}
			c.mu.Lock()
			asked := c.stopping
			c.mu.Unlock()
			if !asked {
				c.died <- Death{Member: u.node, Process: u.spec.Name, Err: u.process.Err(), LastLines: u.lastLines()}
			}
		})
	}
}

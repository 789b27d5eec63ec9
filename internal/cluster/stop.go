package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Stop stops every process, each after those that were started after it, nodes
// in parallel, and waits until all are gone: within their graces, or at once
// when ctx ends. It may be called again. The error names those that had to be
// killed after their grace.
func (c *Cluster) Stop(ctx context.Context) error {
	c.stop.Do(func() {
		c.mu.Lock()
		c.stopping = true
		c.mu.Unlock()
		close(c.ended)
		errs := make([]error, len(c.units))
		var all sync.WaitGroup
		for i, u := range c.units {
			all.Go(func() { errs[i] = u.bringDown(ctx) })
		}
		all.Wait()
		c.watchers.Wait()
		for _, u := range c.units {
			if u.process != nil {
				_ = u.copyLog() // a machine that was lost has been reported
			}
		}
		for _, w := range c.watched {
			_ = w.copyLog()
		}
		c.releasePorts()
		c.stopErr = errors.Join(errs...)
	})
	return c.stopErr
}

// bringDown waits for those that came after it, and stops the process. Those
// end in bounded time, so it needs no limit of its own.
func (u *unit) bringDown(ctx context.Context) error {
	defer close(u.stopped)
	for _, next := range u.before {
		<-next.stopped
	}
	if u.process == nil {
		return nil
	}
	if err := u.process.Stop(ctx); err != nil {
		return fmt.Errorf("stop %s: %w", u.name(), err)
	}
	return nil
}

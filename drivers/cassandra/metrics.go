package cassandra

import (
	"cmp"
	"context"
	"fmt"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/kvscen/kvscen/drivers"
)

// A member of before 4.0 publishes over CQL what its system tables hold: its
// history of compactions, the hints that it keeps for others, the members that it
// knows. All else is in JMX, which speaks to Java alone. From 4.0 on there are
// tables of its thread pools and caches too.

// Metrics reads the member's own tables.
func (d *Driver) Metrics(ctx context.Context, t drivers.Target) (map[string]drivers.Metric, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(t.Timeout, defaultDialTimeout))
	defer cancel()
	t.Timeout = cmp.Or(t.Timeout, defaultDialTimeout)
	figures, err := metricsOf(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("cassandra: read the metrics of %s: %w", t.Endpoint, err)
	}
	return figures, nil
}

func metricsOf(ctx context.Context, t drivers.Target) (map[string]drivers.Metric, error) {
	s, err := settingsOf(t.Options)
	if err != nil {
		return nil, err
	}
	c, err := open(ctx, t, s, false)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	figures := map[string]drivers.Metric{}
	read := []func(context.Context, map[string]drivers.Metric) error{c.compactions, c.peers}
	if c.local.major() < 3 {
		read = append(read, c.hints) // later they are files
	}
	if c.local.major() >= 4 {
		read = append(read, c.threadPools, c.caches)
	}
	for _, r := range read {
		if err := r(ctx, figures); err != nil {
			return nil, wanted(ctx, err)
		}
	}
	return figures, nil
}

// rows asks for rows of a table of the member's own and hands each one over.
func (c *conn) rows(ctx context.Context, text string, into []any, row func()) error {
	rows := c.session.Query(text).Consistency(gocql.One).IterContext(ctx)
	for rows.Scan(into...) {
		row()
	}
	if err := rows.Close(); err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	return nil
}

// compactions sums up the member's history. It forgets them after a week.
func (c *conn) compactions(ctx context.Context, figures map[string]drivers.Metric) error {
	var in, out int64
	var n, read, written float64
	err := c.rows(ctx, "SELECT bytes_in, bytes_out FROM system.compaction_history", []any{&in, &out}, func() {
		n, read, written = n+1, read+float64(in), written+float64(out)
	})
	figures["compactions_count"] = drivers.Metric{Value: n, Counter: true}
	figures["compaction_read_bytes"] = drivers.Metric{Value: read, Counter: true}
	figures["compaction_written_bytes"] = drivers.Metric{Value: written, Counter: true}
	return err
}

func (c *conn) peers(ctx context.Context, figures map[string]drivers.Metric) error {
	return c.one(ctx, figures, "known_members_count", "SELECT count(*) FROM system.peers")
}

func (c *conn) hints(ctx context.Context, figures map[string]drivers.Metric) error {
	return c.one(ctx, figures, "hints_count", "SELECT count(*) FROM system.hints")
}

// one is a gauge that one row gives.
func (c *conn) one(ctx context.Context, figures map[string]drivers.Metric, name, text string) error {
	var n int64
	err := c.rows(ctx, text, []any{&n}, func() {})
	figures[name] = drivers.Metric{Value: float64(n)}
	return err
}

// pools of threads that requests pass through: the server's name and ours.
var pools = map[string]string{
	"ReadStage":                 "reads",
	"MutationStage":             "mutations",
	"Native-Transport-Requests": "requests",
	"CompactionExecutor":        "compaction_tasks",
	"MemtableFlushWriter":       "flushes",
} // never changed

func (c *conn) threadPools(ctx context.Context, figures map[string]drivers.Metric) error {
	var name string
	var pending int
	var completed, blocked int64
	const text = "SELECT name, pending_tasks, completed_tasks, blocked_tasks_all_time FROM system_views.thread_pools"
	return c.rows(ctx, text, []any{&name, &pending, &completed, &blocked}, func() {
		if ours, ok := pools[name]; ok {
			figures[ours+"_pending_count"] = drivers.Metric{Value: float64(pending)}
			figures[ours+"_completed_count"] = drivers.Metric{Value: float64(completed), Counter: true}
			figures[ours+"_blocked_count"] = drivers.Metric{Value: float64(blocked), Counter: true}
		}
	})
}

func (c *conn) caches(ctx context.Context, figures map[string]drivers.Metric) error {
	var name string
	var hits, requests, size int64
	const text = "SELECT name, hit_count, request_count, size_bytes FROM system_views.caches"
	return c.rows(ctx, text, []any{&name, &hits, &requests, &size}, func() {
		if name != "keys" && name != "rows" && name != "chunks" {
			return
		}
		figures[name+"_cache_hits_count"] = drivers.Metric{Value: float64(hits), Counter: true}
		figures[name+"_cache_requests_count"] = drivers.Metric{Value: float64(requests), Counter: true}
		figures[name+"_cache_bytes"] = drivers.Metric{Value: float64(size)}
	})
}

package consul

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/consul/api"

	"github.com/kvscen/kvscen/drivers"
)

// An agent sums its metrics up in intervals of ten seconds and shows the last
// one that is over. None of them only grows, whatever it is called there.

// gauges lists what is read of an agent's gauges: Consul's name and ours.
var gauges = []struct{ consul, ours string }{
	{"runtime.alloc_bytes", "heap_bytes"},
	{"runtime.sys_bytes", "go_bytes"},
	{"runtime.num_goroutines", "goroutines_count"},
	{"raft.applied_index", "recent_applied_index"},
	{"session_ttl.active", "session_ttls_count"},
}

// counters lists what happened within the interval.
var counters = []struct{ consul, ours string }{
	{"raft.apply", "recent_applies_count"},
	{"raft.state.leader", "recent_leader_elections_count"},
	{"raft.state.candidate", "recent_candidacies_count"},
	{"raft.transition.heartbeat_timeout", "recent_heartbeat_timeouts_count"},
	{"client.rpc", "recent_client_rpcs_count"},
	{"client.rpc.exceeded", "recent_client_rpcs_limited_count"},
	{"client.rpc.failed", "recent_client_rpcs_failed_count"},
	{"rpc.query", "recent_queries_count"},
}

// samples lists what took how long within the interval, which Consul counts in
// milliseconds.
var samples = []struct{ consul, ours string }{
	{"raft.commitTime", "recent_commit"},
	{"raft.leader.dispatchLog", "recent_dispatch_log"},
	{"raft.leader.lastContact", "recent_last_contact"},
	{"raft.rpc.appendEntries", "recent_append_entries"},
	{"raft.fsm.apply", "recent_fsm_apply"},
	{"raft.snapshot.create", "recent_snapshot_create"},
	{"raft.snapshot.persist", "recent_snapshot_persist"},
	{"kvs.apply", "recent_kvs_apply"},
	{"txn.apply", "recent_txn_apply"},
}

// indexes lists what is read of an agent's word on Raft, which is up to date and
// only grows.
var indexes = []struct{ consul, ours string }{
	{"commit_index", "committed_entries_count"},
	{"applied_index", "applied_entries_count"},
	{"last_snapshot_index", "snapshotted_entries_count"},
}

// Metrics reads the agent's metrics. What it does not publish, or has not had
// to do with in the last interval, is left out.
func (d *Driver) Metrics(ctx context.Context, t drivers.Target) (map[string]drivers.Metric, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(t.Timeout, defaultDialTimeout))
	defer cancel()
	figures, err := metrics(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("consul: read the metrics of %s: %w", t.Endpoint, reason(err))
	}
	return figures, nil
}

func metrics(ctx context.Context, t drivers.Target) (map[string]drivers.Metric, error) {
	c, err := connect(t)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if c.kvOnly {
		return nil, nil
	}
	var page api.MetricsInfo
	if _, err := c.client.Raw().Query("/v1/agent/metrics", &page, c.query(ctx)); err != nil {
		return nil, err
	}
	agent, err := c.self(ctx)
	if err != nil {
		return nil, err
	}
	figures := map[string]drivers.Metric{}
	addPage(figures, &page)
	for _, p := range indexes {
		if n, err := strconv.ParseFloat(agent.Stats.Raft[p.consul], 64); err == nil {
			figures[p.ours] = drivers.Metric{Value: n, Counter: true}
		}
	}
	return figures, nil
}

// addPage adds the figures of the last interval. Those with labels are several
// of one name: counts are added up, and of means the largest is taken.
func addPage(figures map[string]drivers.Metric, page *api.MetricsInfo) {
	add := func(name string, v float64) {
		figures[name] = drivers.Metric{Value: figures[name].Value + v}
	}
	most := func(name string, v float64) {
		figures[name] = drivers.Metric{Value: max(figures[name].Value, v)}
	}
	for _, p := range gauges {
		for _, g := range page.Gauges {
			if isNamed(g.Name, p.consul) {
				add(p.ours, float64(g.Value))
			}
		}
	}
	for _, p := range counters {
		for _, s := range page.Counters {
			if isNamed(s.Name, p.consul) {
				add(p.ours, s.Sum)
			}
		}
	}
	for _, p := range samples {
		for _, s := range page.Samples {
			if isNamed(s.Name, p.consul) {
				add(p.ours+"_count", float64(s.Count))
				most(p.ours+"_mean_seconds", s.Mean/1000)
				most(p.ours+"_max_seconds", s.Max/1000)
			}
		}
	}
}

// isNamed compares a name with ours of it. Agents put "consul." before, and
// their host's name unless they are told not to.
func isNamed(name, want string) bool {
	return name == want || strings.HasSuffix(name, "."+want)
}

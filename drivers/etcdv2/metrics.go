package etcdv2

import (
	"cmp"
	"context"
	"fmt"
	"net/http"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/promtext"
)

// published lists what is read of a member's page of metrics. That of the v3
// database is left out: what the v2 API writes is kept in memory.
var published = []promtext.Name{
	{Theirs: "etcd_disk_wal_fsync_duration_seconds", Ours: "wal_fsync"},
	{Theirs: "etcd_server_leader_changes_seen_total", Ours: "leader_changes_count"},
	{Theirs: "etcd_server_has_leader", Ours: "has_leader_bool"},
	{Theirs: "etcd_server_is_leader", Ours: "is_leader_bool"},
	{Theirs: "etcd_server_proposals_committed_total", Ours: "proposals_committed_count"},
	{Theirs: "etcd_server_proposals_applied_total", Ours: "proposals_applied_count"},
	{Theirs: "etcd_server_proposals_pending", Ours: "proposals_pending_count"},
	{Theirs: "etcd_server_proposals_failed_total", Ours: "proposals_failed_count"},
	{Theirs: "etcd_server_slow_apply_total", Ours: "slow_applies_count"},
	{Theirs: "etcd_server_heartbeat_send_failures_total", Ours: "heartbeat_failures_count"},
	{Theirs: "etcd_snap_fsync_duration_seconds", Ours: "snapshot_fsync"},
	{Theirs: "etcd_network_peer_sent_bytes_total", Ours: "peer_sent_bytes"},
	{Theirs: "etcd_network_peer_received_bytes_total", Ours: "peer_received_bytes"},
	{Theirs: "etcd_http_failed_total", Ours: "http_failed_count"},
	{Theirs: "etcd_http_received_total", Ours: "http_received_count"},
	{Theirs: "etcd_http_successful_duration_seconds", Ours: "http_successful"},
	{Theirs: "process_resident_memory_bytes", Ours: "resident_bytes"},
	{Theirs: "process_open_fds", Ours: "open_files_count"},
	{Theirs: "process_cpu_seconds_total", Ours: "cpu_seconds"},
}

// counted lists what is read of a member's statistics of its store, which count
// from its start on.
var counted = []struct{ theirs, ours string }{
	{"getsSuccess", "store_gets_count"},
	{"getsFail", "store_gets_failed_count"},
	{"setsSuccess", "store_sets_count"},
	{"setsFail", "store_sets_failed_count"},
	{"createSuccess", "store_creates_count"},
	{"createFail", "store_creates_failed_count"},
	{"updateSuccess", "store_updates_count"},
	{"deleteSuccess", "store_deletes_count"},
	{"deleteFail", "store_deletes_failed_count"},
	{"compareAndSwapSuccess", "store_swaps_count"},
	{"compareAndSwapFail", "store_swaps_lost_count"},
	{"expireCount", "store_expired_count"},
}

// Metrics reads the member's page of metrics and the statistics of its store. A
// metric that this version of etcd does not publish is left out.
func (d *Driver) Metrics(ctx context.Context, t drivers.Target) (map[string]drivers.Metric, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(t.Timeout, defaultDialTimeout))
	defer cancel()
	figures, err := metrics(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("etcdv2: read the metrics of %s: %w", t.Endpoint, err)
	}
	return figures, nil
}

func metrics(ctx context.Context, t drivers.Target) (map[string]drivers.Metric, error) {
	c, err := connect(t)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	page, err := promtext.Fetch(ctx, &http.Client{Transport: c.transport}, c.url+"/metrics")
	if err != nil {
		return nil, err
	}
	figures := page.Figures(published)
	var stats map[string]float64
	if err := c.ask(ctx, "/v2/stats/store", &stats); err != nil {
		return nil, err
	}
	for _, p := range counted {
		if v, ok := stats[p.theirs]; ok {
			figures[p.ours] = drivers.Metric{Value: v, Counter: true}
		}
	}
	figures["store_watchers_count"] = drivers.Metric{Value: stats["watchers"]}
	return figures, nil
}

package etcd

import (
	"cmp"
	"context"
	"fmt"
	"net/http"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/promtext"
)

// published lists what is read of a member's metrics.
var published = []promtext.Name{
	{Theirs: "etcd_disk_wal_fsync_duration_seconds", Ours: "wal_fsync"},
	{Theirs: "etcd_disk_backend_commit_duration_seconds", Ours: "backend_commit"},
	{Theirs: "etcd_server_leader_changes_seen_total", Ours: "leader_changes_count"},
	{Theirs: "etcd_server_has_leader", Ours: "has_leader_bool"},
	{Theirs: "etcd_server_is_leader", Ours: "is_leader_bool"},
	{Theirs: "etcd_server_proposals_committed_total", Ours: "proposals_committed_count"},
	{Theirs: "etcd_server_proposals_applied_total", Ours: "proposals_applied_count"},
	{Theirs: "etcd_server_proposals_pending", Ours: "proposals_pending_count"},
	{Theirs: "etcd_server_proposals_failed_total", Ours: "proposals_failed_count"},
	{Theirs: "etcd_server_slow_apply_total", Ours: "slow_applies_count"},
	{Theirs: "etcd_server_slow_read_indexes_total", Ours: "slow_reads_count"},
	{Theirs: "etcd_server_read_indexes_failed_total", Ours: "failed_reads_count"},
	{Theirs: "etcd_server_heartbeat_send_failures_total", Ours: "heartbeat_failures_count"},
	{Theirs: "etcd_server_quota_backend_bytes", Ours: "quota_bytes"},
	{Theirs: "etcd_mvcc_db_total_size_in_bytes", Ours: "db_total_bytes"},
	{Theirs: "etcd_mvcc_db_total_size_in_use_in_bytes", Ours: "db_in_use_bytes"},
	{Theirs: "etcd_network_peer_sent_bytes_total", Ours: "peer_sent_bytes"},
	{Theirs: "etcd_network_peer_received_bytes_total", Ours: "peer_received_bytes"},
	{Theirs: "etcd_network_client_grpc_sent_bytes_total", Ours: "client_sent_bytes"},
	{Theirs: "etcd_network_client_grpc_received_bytes_total", Ours: "client_received_bytes"},
	{Theirs: "process_resident_memory_bytes", Ours: "resident_bytes"},
	{Theirs: "process_open_fds", Ours: "open_files_count"},
	{Theirs: "process_cpu_seconds_total", Ours: "cpu_seconds"},
}

// Metrics reads the member's page of metrics at its client endpoint. A metric
// that this version of etcd does not publish is left out.
func (d *Driver) Metrics(ctx context.Context, t drivers.Target) (map[string]drivers.Metric, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(t.Timeout, defaultDialTimeout))
	defer cancel()
	page, err := fetch(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("etcd: read the metrics of %s: %w", t.Endpoint, err)
	}
	return page.Figures(published), nil
}

func fetch(ctx context.Context, t drivers.Target) (promtext.Page, error) {
	transport := &http.Transport{DisableKeepAlives: true}
	scheme := "http://"
	if t.TLS != nil {
		config, err := tlsConfig(t.TLS)
		if err != nil {
			return nil, err
		}
		transport.TLSClientConfig = config
		scheme = "https://"
	}
	return promtext.Fetch(ctx, &http.Client{Transport: transport}, scheme+t.Endpoint+"/metrics")
}

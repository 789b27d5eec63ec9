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
	{"etcd_disk_wal_fsync_duration_seconds", "wal_fsync"},
	{"etcd_disk_backend_commit_duration_seconds", "backend_commit"},
	{"etcd_server_leader_changes_seen_total", "leader_changes_count"},
	{"etcd_server_has_leader", "has_leader_bool"},
	{"etcd_server_is_leader", "is_leader_bool"},
	{"etcd_server_proposals_committed_total", "proposals_committed_count"},
	{"etcd_server_proposals_applied_total", "proposals_applied_count"},
	{"etcd_server_proposals_pending", "proposals_pending_count"},
	{"etcd_server_proposals_failed_total", "proposals_failed_count"},
	{"etcd_server_slow_apply_total", "slow_applies_count"},
	{"etcd_server_slow_read_indexes_total", "slow_reads_count"},
	{"etcd_server_read_indexes_failed_total", "failed_reads_count"},
	{"etcd_server_heartbeat_send_failures_total", "heartbeat_failures_count"},
	{"etcd_server_quota_backend_bytes", "quota_bytes"},
	{"etcd_mvcc_db_total_size_in_bytes", "db_total_bytes"},
	{"etcd_mvcc_db_total_size_in_use_in_bytes", "db_in_use_bytes"},
	{"etcd_network_peer_sent_bytes_total", "peer_sent_bytes"},
	{"etcd_network_peer_received_bytes_total", "peer_received_bytes"},
	{"etcd_network_client_grpc_sent_bytes_total", "client_sent_bytes"},
	{"etcd_network_client_grpc_received_bytes_total", "client_received_bytes"},
	{"process_resident_memory_bytes", "resident_bytes"},
	{"process_open_fds", "open_files_count"},
	{"process_cpu_seconds_total", "cpu_seconds"},
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

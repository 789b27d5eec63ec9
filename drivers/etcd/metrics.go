package etcd

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/kvscen/kvscen/drivers"
)

// maxMetrics bounds the page that is read; etcd's is about 100 KB.
const maxMetrics = 16 << 20

// published lists what is read of a member's metrics: etcd's name and ours. A
// histogram yields several figures, and its unit is put at their end. Where a
// metric has labels its series are added up.
var published = []struct{ etcd, ours string }{
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
	families, err := fetch(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("etcd: read the metrics of %s: %w", t.Endpoint, err)
	}
	figures := map[string]drivers.Metric{}
	for _, p := range published {
		if f := families[p.etcd]; f != nil {
			add(figures, p.ours, f)
		}
	}
	return figures, nil
}

func fetch(ctx context.Context, t drivers.Target) (map[string]*dto.MetricFamily, error) {
	transport := &http.Transport{DisableKeepAlives: true}
	url := "http://" + t.Endpoint + "/metrics"
	if t.TLS != nil {
		config, err := tlsConfig(t.TLS)
		if err != nil {
			return nil, err
		}
		transport.TLSClientConfig = config
		url = "https://" + t.Endpoint + "/metrics"
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	client := &http.Client{Transport: transport}
	reply, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", url, reply.Status)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	return parser.TextToMetricFamilies(io.LimitReader(reply.Body, maxMetrics))
}

// add puts the figures of one metric under our name.
func add(figures map[string]drivers.Metric, name string, f *dto.MetricFamily) {
	sum := func(name string, v float64, counter bool) {
		figures[name] = drivers.Metric{Value: figures[name].Value + v, Counter: counter}
	}
	for _, m := range f.Metric {
		h := m.Histogram
		if h == nil {
			sum(name, m.GetCounter().GetValue()+m.GetGauge().GetValue()+m.GetUntyped().GetValue(), m.Counter != nil)
			continue
		}
		sum(name+"_count", float64(h.GetSampleCount()), true)
		sum(name+"_sum_seconds", h.GetSampleSum(), true)
		for _, b := range h.Bucket {
			le := strconv.FormatFloat(b.GetUpperBound(), 'g', -1, 64)
			sum(name+"_bucket_"+le, float64(b.GetCumulativeCount()), true)
		}
	}
}

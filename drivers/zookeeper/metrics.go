package zookeeper

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// published lists what is read of a member's metrics: the server's name in mntr,
// without zk_, and ours.
var published = []struct {
	theirs, ours string
	counter      bool
	unit         float64 // of ours, in theirs; 0: 1
}{
	{"packets_received", "packets_received_count", true, 0},
	{"packets_sent", "packets_sent_count", true, 0},
	{"bytes_received_count", "received_bytes", true, 0},
	{"response_bytes", "sent_bytes", true, 0},
	{"num_alive_connections", "connections_count", false, 0},
	{"outstanding_requests", "outstanding_requests_count", false, 0},
	{"znode_count", "nodes_count", false, 0},
	{"approximate_data_size", "data_bytes", false, 0},
	{"watch_count", "watches_count", false, 0},
	{"ephemerals_count", "ephemerals_count", false, 0},
	{"global_sessions", "sessions_count", false, 0},
	{"open_file_descriptor_count", "open_files_count", false, 0},
	{"stale_sessions_expired", "sessions_expired_count", true, 0},
	{"connection_rejected", "connections_rejected_count", true, 0},
	{"large_requests_rejected", "large_requests_rejected_count", true, 0},
	{"request_throttle_wait_count", "throttled_requests_count", true, 0},
	{"proposal_count", "proposals_count", true, 0},
	{"commit_count", "commits_count", true, 0},
	{"looking_count", "elections_count", true, 0},
	{"snap_count", "snapshots_sent_count", true, 0},
	{"diff_count", "differences_sent_count", true, 0},
	{"cnt_fsynctime", "fsync_count", true, 0},
	{"sum_fsynctime", "fsync_sum_seconds", true, milliseconds},
	{"cnt_snapshottime", "snapshot_count", true, 0},
	{"sum_snapshottime", "snapshot_sum_seconds", true, milliseconds},
	{"cnt_updatelatency", "write_latency_count", true, 0},
	{"sum_updatelatency", "write_latency_sum_seconds", true, milliseconds},
	{"cnt_readlatency", "read_latency_count", true, 0},
	{"sum_readlatency", "read_latency_sum_seconds", true, milliseconds},
	{"cnt_proposal_latency", "proposal_latency_count", true, 0},
	{"sum_proposal_latency", "proposal_latency_sum_seconds", true, milliseconds},
	{"cnt_quorum_ack_latency", "quorum_ack_count", true, 0},
	{"sum_quorum_ack_latency", "quorum_ack_sum_seconds", true, milliseconds},
	{"cnt_jvm_pause_time_ms", "jvm_pause_count", true, 0},
	{"sum_jvm_pause_time_ms", "jvm_pause_sum_seconds", true, milliseconds},
}

const milliseconds = float64(time.Second / time.Millisecond) // in a second

// Metrics asks the member for its metrics. One that this version of the server
// does not publish is left out; all are where members are not to be asked.
func (d *Driver) Metrics(ctx context.Context, t drivers.Target) (map[string]drivers.Metric, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(t.Timeout, defaultDialTimeout))
	defer cancel()
	s, err := settingsOf(t)
	if err != nil {
		return nil, fmt.Errorf("zookeeper: read the metrics of %s: %w", t.Endpoint, err)
	}
	if s.unknown != "" {
		return nil, nil
	}
	answer, err := mntr(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("zookeeper: read the metrics of %s: %w", t.Endpoint, err)
	}
	figures := parseMetrics(answer)
	if len(figures) == 0 {
		return nil, fmt.Errorf("zookeeper: the metrics of %s: %s", t.Endpoint, strings.TrimSpace(answer))
	}
	return figures, nil
}

func mntr(ctx context.Context, t drivers.Target) (string, error) {
	over, err := newTransport(t.TLS)
	if err != nil {
		return "", err
	}
	return over.ask(ctx, t.Endpoint, "mntr")
}

func parseMetrics(answer string) map[string]drivers.Metric {
	values, figures := map[string]string{}, map[string]drivers.Metric{}
	for line := range strings.Lines(answer) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			values[strings.TrimPrefix(name, "zk_")] = value
		}
	}
	for _, p := range published {
		if v, err := strconv.ParseFloat(values[p.theirs], 64); err == nil {
			figures[p.ours] = drivers.Metric{Value: v / cmp.Or(p.unit, 1), Counter: p.counter}
		}
	}
	if state, ok := values["server_state"]; ok {
		leads := 0.0
		if state == "leader" {
			leads = 1
		}
		figures["is_leader_bool"] = drivers.Metric{Value: leads}
	}
	return figures
}

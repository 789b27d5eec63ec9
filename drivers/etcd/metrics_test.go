package etcd

import (
	"strconv"
	"strings"
	"testing"

	"github.com/kvscen/kvscen/drivers"
)

// TestMetricsGrow reads a member's metrics before and after some writes: every
// metric that is listed is published, and those that count have counted.
func TestMetricsGrow(t *testing.T) {
	m := startMember(t, nil)
	target := m.target()
	read := func() map[string]drivers.Metric {
		figures, err := New().Metrics(t.Context(), target)
		if err != nil {
			t.Fatal(err)
		}
		return figures
	}
	before := read()
	c := dial(t, target)
	const writes = 20
	for i := range writes {
		err := do(t, c, drivers.OpSpec{Kind: drivers.Put}, drivers.Op{Key: strconv.AppendInt(nil, int64(i), 10), Value: make([]byte, 1024)})
		if err != nil {
			t.Fatal(err)
		}
	}
	after := read()
	for _, p := range published {
		_, plain := after[p.Ours]
		_, histogram := after[p.Ours+"_count"]
		// A lone member has no peers, and so no series of them.
		if !plain && !histogram && !strings.HasPrefix(p.Ours, "peer_") {
			t.Errorf("%s (%s) was not read", p.Theirs, p.Ours)
		}
	}
	if n := after["proposals_committed_count"].Value - before["proposals_committed_count"].Value; n < writes {
		t.Errorf("%v proposals committed, want at least the %d writes", n, writes)
	}
	for _, name := range []string{"has_leader_bool", "db_total_bytes", "resident_bytes", "wal_fsync_count", "wal_fsync_sum_seconds"} {
		if after[name].Value <= 0 {
			t.Errorf("%s = %v", name, after[name].Value)
		}
	}
	if n, all := after["wal_fsync_count"].Value, after["wal_fsync_bucket_+Inf"].Value; n != all {
		t.Errorf("%v fsyncs, %v in the last bucket", n, all)
	}
	for name, counts := range map[string]bool{"wal_fsync_count": true, "slow_applies_count": true, "proposals_pending_count": false, "db_total_bytes": false} {
		if after[name].Counter != counts {
			t.Errorf("%s: counter = %v", name, after[name].Counter)
		}
	}
	if _, ok := after["wal_fsync_bucket_0.001"]; !ok {
		t.Error("no bucket of 1 ms in the fsync histogram")
	}
}

func TestMetricsUnreachable(t *testing.T) {
	target := drivers.Target{Endpoint: "127.0.0.1:1"}
	if _, err := New().Metrics(t.Context(), target); err == nil || !strings.Contains(err.Error(), target.Endpoint) {
		t.Errorf("metrics of a member that is not there: %v, want an error that names it", err)
	}
}

package zookeeper

import (
	"strings"
	"testing"

	"github.com/kvscen/kvscen/drivers"
)

func TestParseStatus(t *testing.T) {
	const head = "Zookeeper version: 3.8.0--1, built on 2024-12-29 17:54 UTC\nLatency min/avg/max: 0/0.0/0\nZxid: 0x300000007\n"
	base := drivers.Status{Version: "3.8.0", ID: "h:1", Term: 3}
	leads, follows := base, base
	leads.Leader, follows.Follows = "h:1", true
	c := &conn{endpoint: "h:1"}
	for answer, want := range map[string]drivers.Status{
		head + "Mode: leader\nNode count: 5\n":                        leads,
		head + "Mode: standalone\n":                                   leads,
		head + "Mode: follower\n":                                     follows,
		head + "Mode: observer\n":                                     follows,
		"This ZooKeeper instance is not currently serving requests\n": {ID: "h:1"},
	} {
		if got := c.parseStatus(answer); got != want {
			t.Errorf("status of %q: %+v, want %+v", answer, got, want)
		}
	}
}

func TestParseMetrics(t *testing.T) {
	got := parseMetrics("zk_version\t3.8.0\nzk_server_state\tleader\nzk_packets_sent\t7\nzk_sum_fsynctime\t1500\nzk_znode_count\tmany\n")
	want := map[string]drivers.Metric{
		"packets_sent_count": {Value: 7, Counter: true},
		"fsync_sum_seconds":  {Value: 1.5, Counter: true},
		"is_leader_bool":     {Value: 1},
	}
	if len(got) != len(want) {
		t.Errorf("%d metrics %v, want %d", len(got), got, len(want))
	}
	for name, m := range want {
		if got[name] != m {
			t.Errorf("%s: %+v, want %+v", name, got[name], m)
		}
	}
}

// TestQuorum starts three members: one leads, the others follow, and what is
// written to one can be read from another.
func TestQuorum(t *testing.T) {
	servers := startServers(t, 3)
	var leaders, followers int
	var conns []*conn
	for _, s := range servers {
		c := dial(t, s.target())
		conns = append(conns, c)
		st, err := c.Status(t.Context())
		switch {
		case err != nil:
			t.Fatal(err)
		case st.Leader == st.ID && !st.Follows:
			leaders++
		case st.Leader == "" && st.Follows:
			followers++
		}
		if !strings.HasPrefix(st.Version, "3.") || st.Term == 0 {
			t.Errorf("status %+v: want a version and a term", st)
		}
	}
	if leaders != 1 || followers != 2 {
		t.Errorf("%d members lead and %d follow, want 1 and 2", leaders, followers)
	}
	for i := range 20 {
		key := []byte{'k', byte(i)}
		if _, err := do(t, conns[i%3], drivers.OpSpec{Kind: drivers.Put}, drivers.Op{Key: key, Value: key}); err != nil {
			t.Fatal(err)
		}
		op, err := do(t, conns[(i+1)%3], drivers.OpSpec{Kind: drivers.Get, Consistency: linearizable}, drivers.Op{Key: key})
		if err != nil || !op.Found {
			t.Errorf("a linearizable read at another member missed a write: found %v, %v", op.Found, err)
		}
	}
}

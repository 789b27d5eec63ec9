package cassandra

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/kvscen/kvscen/drivers"
)

// connections counts the TCP connections of a connection.
func connections(c *conn) int {
	c.link.mu.Lock()
	defer c.link.mu.Unlock()
	return len(c.link.open)
}

func testOneMember(f fixture) {
	if n := connections(f.conn); n != 2 {
		f.Errorf("%d TCP connections, want one for requests and the library's own", n)
	}
	s, err := f.conn.Status(f.Context())
	if err != nil || s.Version != "2.1.0" || s.ID == "" || s.Leader != "" || !s.Equal {
		f.Errorf("status %+v, %v", s, err)
	}
}

func testTokenAware(f fixture) {
	target := f.target
	target.Options["token_aware"] = true
	before, err := f.conn.Status(f.Context())
	if err != nil {
		f.Fatal(err)
	}
	f.conn = dial(f, target)
	if n := connections(f.conn); n != 4 {
		f.Errorf("%d TCP connections to three members, want one to each and the library's own", n)
	}
	if s, err := f.conn.Status(f.Context()); err != nil || s.ID != before.ID {
		f.Errorf("status is that of %s, %v; want the member that was dialled, %s", s.ID, err, before.ID)
	}
	for i := range 20 {
		f.put(fmt.Sprint(i))
		if !f.has(fmt.Sprint(i)) {
			f.Errorf("key %d is missing", i)
		}
	}
	op := f.must(drivers.OpSpec{Kind: drivers.Scan, Limit: 100}, drivers.Op{Key: f.key(""), End: f.key("~")})
	if op.Count != 20 {
		f.Errorf("a scan finds %d keys, want 20", op.Count)
	}
}

// testSetUp lets connections to all members make the same table at once.
func testSetUp(t *testing.T, members []*server) {
	d := New()
	var wg sync.WaitGroup
	for i := range 3 * len(members) {
		target := members[i%len(members)].target()
		target.Options = map[string]any{
			"keyspace": "at_once", "replication_factor": int64(3), "durable_writes": false, "partitions": int64(1),
			"compaction": "LeveledCompactionStrategy", "compression": "", "key_cache": false, "row_cache": "10",
			"table_options": "gc_grace_seconds = 60 AND comment = 'of a test'",
		}
		wg.Go(func() {
			c, err := d.Dial(t.Context(), target)
			if err != nil {
				t.Errorf("dial: %v", err)
				return
			}
			defer c.Close()
			key := fmt.Appendf(nil, "%d", i)
			if err := do(t, c, drivers.OpSpec{Kind: drivers.Put, Consistency: "ALL"}, &drivers.Op{Key: key, Value: key}); err != nil {
				t.Errorf("put: %v", err)
			}
		})
	}
	wg.Wait()
	for _, m := range members {
		target := m.target()
		target.Options = map[string]any{"keyspace": "at_once", "partitions": int64(1)}
		c := dial(t, target)
		op := drivers.Op{}
		if err := do(t, c, drivers.OpSpec{Kind: drivers.Scan, Consistency: "ONE"}, &op); err != nil || op.Count != 3*len(members) {
			t.Errorf("%s: %d keys, %v; want %d", m.ip, op.Count, err, 3*len(members))
		}
		var compaction, compression, caching, comment string
		err := c.session.Query("SELECT compaction_strategy_class, compression_parameters, caching, comment FROM system.schema_columnfamilies "+
			"WHERE keyspace_name = 'at_once' AND columnfamily_name = 'kv_1'").Scan(&compaction, &compression, &caching, &comment)
		if text := compaction + compression + caching + comment; err != nil || !strings.Contains(compaction, "Leveled") ||
			strings.Contains(compression, "LZ4") || !strings.Contains(caching, `"keys":"NONE", "rows_per_partition":"10"`) || comment != "of a test" {
			t.Errorf("%s: the table has %s, %v", m.ip, text, err)
		}
	}
}

func testMetrics(f fixture) {
	figures, err := New().Metrics(f.Context(), f.target)
	if err != nil {
		f.Fatal(err)
	}
	if n := figures["known_members_count"].Value; n != 2 {
		f.Errorf("the member knows %v others, want 2", n)
	}
	// It has merged files of its own tables since it started.
	for _, name := range []string{"compactions_count", "compaction_read_bytes", "compaction_written_bytes"} {
		if m := figures[name]; m.Value <= 0 || !m.Counter {
			f.Errorf("%s = %+v, want something that grows", name, m)
		}
	}
	if m, ok := figures["hints_count"]; !ok || m.Counter {
		f.Errorf("hints_count = %+v, %v", m, ok)
	}
}

// testMemberLost stops one member of three: what needs two replicas goes on, what
// needs all of them is refused.
func testMemberLost(t *testing.T, members []*server, target drivers.Target) {
	start := members[2].restart(t)
	defer start()
	c := dial(t, target)
	for name, want := range map[string]bool{"ONE": true, "QUORUM": true, "LOCAL_QUORUM": true, "ANY": true, "ALL": false, "THREE": false} {
		op := drivers.Op{Key: []byte(t.Name()), Value: []byte("v")}
		err := do(t, c, drivers.OpSpec{Kind: drivers.Put, Consistency: name}, &op)
		if want != (err == nil) {
			t.Errorf("put of %s with two of three members: %v", name, err)
		}
		if class := drivers.ClassOf(err); err != nil && class != drivers.Unavailable && class != drivers.Timeout {
			t.Errorf("put of %s: %v, want class unavailable or timeout", name, err)
		}
	}
	op := drivers.Op{Key: []byte(t.Name()), Value: []byte("w"), Expected: drivers.ExpectCurrent}
	if err := do(t, c, drivers.OpSpec{Kind: drivers.CAS}, &op); err != nil || !op.Found {
		t.Errorf("cas with two of three members: %v, %v", op.Found, err)
	}
}

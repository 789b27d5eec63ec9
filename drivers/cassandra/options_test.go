package cassandra

import (
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

func TestSettings(t *testing.T) {
	s, err := settingsOf(nil)
	if err != nil || s.table != "kvscen.kv" || s.blind || !s.logged || !s.clientTime {
		t.Errorf("by default: %+v, %v", s, err)
	}
	s, err = settingsOf(map[string]any{"partitions": int64(16), "keyspace": "other"})
	if err != nil || s.table != "other.kv_16" {
		t.Errorf("with 16 partitions: the table is %q, %v", s.table, err)
	}
	for name, value := range map[string]any{
		"keyspace": "1st", "partitions": int64(-1), "batch": "", "delete": "no", "timestamps": "none",
		"commit_consistency": "most", "protocol": int64(1), "page_size": int64(0), "max_mutation": int64(1),
	} {
		if _, err := settingsOf(map[string]any{name: value}); err == nil || !strings.Contains(err.Error(), strings.Split(name, "_")[0]) &&
			!strings.Contains(err.Error(), "most") {
			t.Errorf("%s = %v: %v, want an error that names it", name, value, err)
		}
	}
}

func TestGiven(t *testing.T) {
	for partitions, refused := range map[int64]bool{0: true, 1: false, 64: false} {
		s := given(map[string]any{"partitions": partitions})
		if got := s.Op(drivers.Scan).Refused != ""; got != refused {
			t.Errorf("%d partitions: scan is refused: %v", partitions, got)
		}
	}
	small, large := given(nil).Limits.Value, given(map[string]any{"max_mutation": int64(80 << 20)}).Limits.Value
	if small != spec().Limits.Value || large < 64<<20 {
		t.Errorf("limit of values: %d by default, %d with a mutation of 80 MiB", small, large)
	}
}

func TestSchema(t *testing.T) {
	for name, x := range map[string]struct {
		version string
		options map[string]any
		want    []string
	}{
		"old": {"2.1.0", nil, []string{
			"CREATE KEYSPACE IF NOT EXISTS kvscen WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3} AND durable_writes = true",
			"CREATE TABLE IF NOT EXISTS kvscen.kv (k blob, v blob, r bigint, PRIMARY KEY (k)) WITH compaction = {'class': 'SizeTieredCompactionStrategy'} " +
				"AND compression = {'sstable_compression': 'LZ4Compressor'} AND caching = {'keys': 'ALL', 'rows_per_partition': 'NONE'}",
		}},
		"new": {"4.1.5", map[string]any{
			"partitions": int64(4), "replication": "{'class': 'NetworkTopologyStrategy', 'dc1': 2}", "durable_writes": false, "key_cache": false,
			"compaction": "{'class': 'TimeWindowCompactionStrategy'}", "table_options": "gc_grace_seconds = 0",
		}, []string{
			"CREATE KEYSPACE IF NOT EXISTS kvscen WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 2} AND durable_writes = false",
			"CREATE TABLE IF NOT EXISTS kvscen.kv_4 (p int, k blob, v blob, r bigint, PRIMARY KEY ((p), k)) WITH CLUSTERING ORDER BY (k ASC) " +
				"AND compaction = {'class': 'TimeWindowCompactionStrategy'} AND compression = {'class': 'LZ4Compressor'} " +
				"AND caching = {'keys': 'NONE', 'rows_per_partition': 'NONE'} AND gc_grace_seconds = 0",
		}},
	} {
		s, err := settingsOf(x.options)
		if err != nil {
			t.Fatal(err)
		}
		c := &conn{settings: s, local: local{version: x.version}}
		for i, text := range c.schema(3) {
			if text != x.want[i] {
				t.Errorf("%s:\n%s\nwant\n%s", name, text, x.want[i])
			}
		}
	}
}

func TestTTL(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "", time.Second: " USING TTL 1", time.Hour: " USING TTL 3600"} {
		if got, err := ttl(d); got != want || err != nil {
			t.Errorf("%v: %q, %v; want %q", d, got, err, want)
		}
	}
	for _, d := range []time.Duration{-time.Second, time.Millisecond, 1500 * time.Millisecond, 21 * 365 * 24 * time.Hour} {
		if got, err := ttl(d); err == nil {
			t.Errorf("%v: %q, want an error", d, got)
		}
	}
}

// TestPlaces sees that keys are spread over all partitions, each always to the
// same one.
func TestPlaces(t *testing.T) {
	p, q := place{partitions: 7}, place{partitions: 7}
	seen := map[int64]int{}
	for i := range 7000 {
		key := []byte{byte(i >> 8), byte(i)}
		p.set(key)
		q.set(key)
		if p.part.value != q.part.value || p.part.value < 0 || p.part.value >= 7 {
			t.Fatalf("key %x is in partitions %d and %d", key, p.part.value, q.part.value)
		}
		seen[p.part.value]++
	}
	for part, n := range seen {
		if n < 700 || n > 1300 {
			t.Errorf("partition %d has %d of 7000 keys", part, n)
		}
	}
}

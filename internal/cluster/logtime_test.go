package cluster

import (
	"testing"
	"time"
)

func TestLogTime(t *testing.T) {
	zone := time.FixedZone("", 2*3600)
	at := func(nanos int, in *time.Location) time.Time { return time.Date(2026, 12, 1, 3, 58, 38, nanos, in) }
	for line, want := range map[string]time.Time{
		// etcd
		`{"level":"warn","ts":"2026-12-01T03:58:38.896608Z","caller":"embed/config.go:956","msg":"2020-01-01 00:00:00"}`: at(896608000, time.UTC),
		`{"level":"info","ts":"2026-12-01T03:58:38.896+0100","msg":"x"}`:                                                 at(896e6, time.FixedZone("", 3600)),
		`{"level":"info","ts":1796097518.25,"msg":"x"}`:                                                                  at(250e6, time.UTC),
		`2026-12-01 03:58:38.176083 I | etcdmain: etcd Version: 3.4.23`:                                                  at(176083000, zone),
		`2026/12/01 03:58:38 etcdserver: started`:                                                                        at(0, zone),
		// Consul
		"    2026-12-01T03:58:38.176Z [INFO]  agent.server.raft: election won":      at(176e6, time.UTC),
		"    2026-12-01T03:58:38.176-0330 [INFO]  agent.server.raft: election won":  at(176e6, time.FixedZone("", -12600)),
		"    2026-12-01T03:58:38.176-03:30 [INFO]  agent.server.raft: election won": at(176e6, time.FixedZone("", -12600)),
		// ZooKeeper, Cassandra
		"2026-12-01 03:58:38,176 [myid:1] - INFO  [main:FileSnap@83] - Snapshotting: 0x0": at(176e6, zone),
		"INFO  [main] 2026-12-01 03:58:38,176 Config.java:551 - Node configuration":       at(176e6, zone),
	} {
		if got, ok := LogTime([]byte(line), zone); !ok || !got.Equal(want) {
			t.Errorf("%s\n  is of %v, %v; want %v", line, got, ok, want)
		}
	}
	for _, line := range []string{
		"", "serving", "==> Starting Consul agent...", "2026-13-01 03:58:38 x", "2026-02-30 03:58:38 x", "2026-12-01 03:61:38 x",
		`{"ts":"later"}`, `{"ts":17,"msg":"x"}`, "[0.012s][info][gc] Using G1",
	} {
		if got, ok := LogTime([]byte(line), zone); ok {
			t.Errorf("%q is of %v", line, got)
		}
	}
}

func FuzzLogTime(f *testing.F) {
	f.Add([]byte(`{"level":"info","ts":"2026-12-01T03:58:38.896+0100","msg":"x"}`))
	f.Add([]byte(`{"ts":1796097518.25,`))
	f.Fuzz(func(t *testing.T, line []byte) {
		if got, ok := LogTime(line, time.UTC); !ok && !got.IsZero() && got.Year() > 99999 {
			t.Errorf("%q is of %v", line, got)
		}
	})
}

package serve

import (
	"flag"
	"reflect"
	"strings"
	"testing"

	"go.etcd.io/etcd/server/v3/embed"
)

func arguments(more ...string) []string {
	return append([]string{
		"--name", "m1", "--dir", "/data", "--client-url", "http://127.0.0.1:2379",
		"--peer-url", "127.0.0.1:2380", "--initial-cluster", "m1=http://127.0.0.1:2380",
	}, more...)
}

func TestParse(t *testing.T) {
	cfg, err := parse(arguments(
		"--token=t", "--quota=8589934592", "--snapshot-count=5", "--heartbeat=50ms", "--election", "700", "--no-fsync",
		"--log=warn", "--flag", "max-txn-ops=256", "--flag=--pre-vote=false", "--flag", "socket-reuse-port",
		"--flag", "max-concurrent-streams=9", "--flag", "listen-metrics-urls=http://127.0.0.1:2381", "--flag", "metrics=extensive",
	))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]any{
		"name": cfg.Name, "dir": cfg.Dir, "token": cfg.InitialClusterToken, "quota": cfg.QuotaBackendBytes,
		"snapshot": cfg.SnapshotCount, "tick": cfg.TickMs, "election": cfg.ElectionMs, "nofsync": cfg.UnsafeNoFsync,
		"log": cfg.LogLevel, "txn": cfg.MaxTxnOps, "prevote": cfg.PreVote, "reuse": cfg.SocketOpts.ReusePort,
		"streams": cfg.MaxConcurrentStreams, "metrics": cfg.Metrics, "pprof": cfg.EnablePprof,
		"peer": cfg.ListenPeerUrls[0].String(), "advertised": cfg.AdvertiseClientUrls[0].String(),
		"metrics url": cfg.ListenMetricsUrls[0].String(), "compaction": cfg.AutoCompactionRetention,
	}
	want := map[string]any{
		"name": "m1", "dir": "/data", "token": "t", "quota": int64(8 << 30),
		"snapshot": uint64(5), "tick": uint(50), "election": uint(700), "nofsync": true,
		"log": "warn", "txn": uint(256), "prevote": false, "reuse": true,
		"streams": uint32(9), "metrics": "extensive", "pprof": false,
		"peer": "http://127.0.0.1:2380", "advertised": "http://127.0.0.1:2379",
		"metrics url": "http://127.0.0.1:2381", "compaction": "0",
	}
	for name, w := range want {
		if !reflect.DeepEqual(got[name], w) {
			t.Errorf("%s is %v, want %v", name, got[name], w)
		}
	}
}

func TestParseDefaults(t *testing.T) {
	cfg, err := parse(arguments())
	if err != nil {
		t.Fatal(err)
	}
	std := embed.NewConfig()
	if cfg.UnsafeNoFsync || cfg.SnapshotCount != std.SnapshotCount || cfg.TickMs != std.TickMs ||
		cfg.ElectionMs != std.ElectionMs || cfg.QuotaBackendBytes != 0 || cfg.LogLevel != "info" {
		t.Errorf("defaults are not etcd's: %+v", cfg)
	}
	if err := cfg.Validate(); err != nil {
		t.Errorf("the server refuses it: %v", err)
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct {
		args []string
		want string
	}{
		{nil, "--name is missing"},
		{[]string{"--name", "m1", "--dir", "/d"}, "--client-url is missing"},
		{arguments("--nam", "x"), "-nam"},
		{arguments("extra"), `unexpected argument "extra"`},
		{arguments("--client-url", "http://127.0.0.1"), "the port is missing"},
		{arguments("--heartbeat", "soon"), "at least 1ms"},
		{arguments("--heartbeat", "1us"), "at least 1ms"},
		{arguments("--quota", "much"), "quota"},
		{arguments("--log", "loud"), `unknown log level "loud"`},
		{arguments("--flag", "name=m2"), "--name decides that"},
		{arguments("--flag", "max-txn-opz=1"), "etcd has no such flag; it has: auth-token"},
		{arguments("--flag", "max-txn-ops=x"), "--flag max-txn-ops=x: "},
	}
	for _, test := range tests {
		if _, err := parse(test.args); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("parse(%q): %v; want %q", test.args, err, test.want)
		}
	}
}

// A new version of etcd may declare a flag that it does not bind.
func TestNoFlagIsLost(t *testing.T) {
	set, instead := setters(), refused()
	etcdFlags(embed.NewConfig()).VisitAll(func(f *flag.Flag) {
		unbound := strings.HasSuffix(reflect.TypeOf(f.Value).Elem().PkgPath(), "pkg/v3/flags")
		if unbound && set[f.Name] == nil && instead[f.Name] == "" {
			t.Errorf("the value of --%s would be lost", f.Name)
		}
	})
}

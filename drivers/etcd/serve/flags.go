package serve

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
)

// parse makes a configuration of the flags of Serve:
//
//	--name NAME               of the member; required
//	--dir FOLDER              for data; required, made if missing
//	--client-url URL          to listen on and to advertise; required
//	--peer-url URL            likewise
//	--initial-cluster LIST    NAME=PEER-URL of every member, comma-separated; required
//	--token TEXT              of the cluster, the same for every member
//	--quota BYTES             of the database
//	--snapshot-count N        transactions between two snapshots
//	--heartbeat TIME          of the leader: 100ms, or 100
//	--election TIME           likewise
//	--no-fsync                do not wait for the disk: loses data with the machine
//	--log LEVEL               debug, info (the default), warn or error
//	--flag NAME=VALUE         any other flag of etcd's own; may be repeated
//
// A URL without scheme is http. What is not given is as etcd has it.
func parse(args []string) (*embed.Config, error) {
	cfg := embed.NewConfig()
	own := etcdFlags(cfg)
	cfg.Dir, cfg.InitialCluster = "", ""
	cfg.Logger, cfg.LogLevel, cfg.LogOutputs = "zap", "info", []string{"stderr"}
	var given []string
	fs := flag.NewFlagSet("serve etcd", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&cfg.Name, "name", "", "")
	fs.StringVar(&cfg.Dir, "dir", "", "")
	fs.Func("client-url", "", urlFlag(&cfg.ListenClientUrls, &cfg.AdvertiseClientUrls))
	fs.Func("peer-url", "", urlFlag(&cfg.ListenPeerUrls, &cfg.AdvertisePeerUrls))
	fs.StringVar(&cfg.InitialCluster, "initial-cluster", "", "")
	fs.StringVar(&cfg.InitialClusterToken, "token", cfg.InitialClusterToken, "")
	fs.Int64Var(&cfg.QuotaBackendBytes, "quota", cfg.QuotaBackendBytes, "")
	fs.Uint64Var(&cfg.SnapshotCount, "snapshot-count", cfg.SnapshotCount, "")
	fs.Func("heartbeat", "", millis(&cfg.TickMs))
	fs.Func("election", "", millis(&cfg.ElectionMs))
	fs.BoolVar(&cfg.UnsafeNoFsync, "no-fsync", false, "")
	fs.StringVar(&cfg.LogLevel, "log", cfg.LogLevel, "")
	fs.Func("flag", "", func(text string) error {
		given = append(given, text)
		return nil
	})
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	if fs.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", fs.Arg(0))
	}
	if err := required(fs); err != nil {
		return nil, err
	}
	return cfg, own.apply(cfg, given)
}

// required checks that the flags without which there is no member are there.
func required(fs *flag.FlagSet) error {
	set := make(map[string]bool)
	fs.Visit(func(f *flag.Flag) { set[f.Name] = true })
	for _, name := range []string{"name", "dir", "client-url", "peer-url", "initial-cluster"} {
		if !set[name] {
			return fmt.Errorf("--%s is missing", name)
		}
	}
	switch level := fs.Lookup("log").Value.String(); level {
	case "debug", "info", "warn", "error":
		return nil
	default:
		return fmt.Errorf("unknown log level %q; there are: debug, info, warn, error", level)
	}
}

// urlFlag parses a URL into each of targets.
func urlFlag(targets ...*[]url.URL) func(string) error {
	return func(text string) error {
		if !strings.Contains(text, "://") {
			text = "http://" + text
		}
		u, err := url.Parse(text)
		if err != nil {
			return err
		}
		if u.Port() == "" {
			return errors.New("the port is missing")
		}
		for _, t := range targets {
			*t = []url.URL{*u}
		}
		return nil
	}
}

// millis parses a duration, or a bare number of milliseconds.
func millis(target *uint) func(string) error {
	return func(text string) error {
		if n, err := strconv.ParseUint(text, 10, 32); err == nil {
			*target = uint(n)
			return nil
		}
		d, err := time.ParseDuration(text)
		if err != nil || d < time.Millisecond {
			return errors.New("want a time of at least 1ms")
		}
		*target = uint(d.Milliseconds())
		return nil
	}
}

// refused are flags of etcd's own that another flag of ours stands for.
func refused() map[string]string {
	return map[string]string{
		"name": "--name", "data-dir": "--dir",
		"listen-client-urls": "--client-url", "advertise-client-urls": "--client-url",
		"listen-peer-urls": "--peer-url", "initial-advertise-peer-urls": "--peer-url",
		"initial-cluster": "--initial-cluster", "initial-cluster-token": "--token",
		"quota-backend-bytes": "--quota", "snapshot-count": "--snapshot-count",
		"heartbeat-interval": "--heartbeat", "election-timeout": "--election",
		"unsafe-no-fsync": "--no-fsync", "log-level": "--log",
		"logger": "the guard", "log-outputs": "the guard",
	}
}

// names lists the flags of etcd's own that may be given.
func names(fs *flag.FlagSet) []string {
	known := make(map[string]bool)
	fs.VisitAll(func(f *flag.Flag) { known[f.Name] = true })
	for name := range refused() {
		delete(known, name)
	}
	return slices.Sorted(maps.Keys(known))
}

package serve

import (
	"flag"
	"fmt"
	"strings"

	"go.etcd.io/etcd/pkg/v3/flags"
	"go.etcd.io/etcd/server/v3/embed"
)

// ownFlags are the flags of the etcd program itself.
type ownFlags struct{ *flag.FlagSet }

// etcdFlags binds etcd's own flags to cfg. It sets some of cfg to the defaults
// of those flags, so it comes before anything else is set.
func etcdFlags(cfg *embed.Config) ownFlags {
	fs := flag.NewFlagSet("etcd", flag.ContinueOnError)
	cfg.AddFlags(fs)
	return ownFlags{fs}
}

// apply sets flags given as NAME=VALUE, or NAME for true.
func (o ownFlags) apply(cfg *embed.Config, given []string) error {
	for _, text := range given {
		name, value, ok := strings.Cut(strings.TrimLeft(text, "-"), "=")
		if !ok {
			value = "true"
		}
		if instead, ok := refused()[name]; ok {
			return fmt.Errorf("--flag %s: %s decides that", text, instead)
		}
		if o.Lookup(name) == nil {
			return fmt.Errorf("--flag %s: etcd has no such flag; it has: %s", text, strings.Join(names(o.FlagSet), " "))
		}
		if err := o.Set(name, value); err != nil {
			return fmt.Errorf("--flag %s: %w", text, err)
		}
		cfg.FlagsExplicitlySet[name] = true
		if set, ok := setters()[name]; ok {
			set(cfg, o.FlagSet, name)
		}
	}
	return nil
}

// setters copy the values of those flags that embed.Config.AddFlags declares
// but does not bind to a field.
func setters() map[string]func(*embed.Config, *flag.FlagSet, string) {
	return map[string]func(*embed.Config, *flag.FlagSet, string){
		"listen-client-http-urls": func(c *embed.Config, fs *flag.FlagSet, name string) {
			c.ListenClientHttpUrls = flags.UniqueURLsFromFlag(fs, name)
		},
		"listen-metrics-urls": func(c *embed.Config, fs *flag.FlagSet, name string) {
			c.ListenMetricsUrls = flags.UniqueURLsFromFlag(fs, name)
		},
		"discovery-endpoints": func(c *embed.Config, fs *flag.FlagSet, name string) {
			c.DiscoveryCfg.Endpoints = flags.UniqueStringsFromFlag(fs, name)
		},
		"cors": func(c *embed.Config, fs *flag.FlagSet, name string) {
			c.CORS = flags.UniqueURLsMapFromFlag(fs, name)
		},
		"host-whitelist": func(c *embed.Config, fs *flag.FlagSet, name string) {
			c.HostWhitelist = flags.UniqueStringsMapFromFlag(fs, name)
		},
		"client-cert-allowed-hostname": func(c *embed.Config, fs *flag.FlagSet, name string) {
			c.ClientTLSInfo.AllowedHostnames = flags.StringsFromFlag(fs, name)
		},
		"peer-cert-allowed-cn": func(c *embed.Config, fs *flag.FlagSet, name string) {
			c.PeerTLSInfo.AllowedCNs = flags.StringsFromFlag(fs, name)
		},
		"peer-cert-allowed-hostname": func(c *embed.Config, fs *flag.FlagSet, name string) {
			c.PeerTLSInfo.AllowedHostnames = flags.StringsFromFlag(fs, name)
		},
		"cipher-suites": func(c *embed.Config, fs *flag.FlagSet, name string) {
			c.CipherSuites = flags.StringsFromFlag(fs, name)
		},
		"max-concurrent-streams": func(c *embed.Config, fs *flag.FlagSet, name string) {
			c.MaxConcurrentStreams = flags.Uint32FromFlag(fs, name)
		},
	}
}

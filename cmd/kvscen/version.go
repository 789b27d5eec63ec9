package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// release is the version that this source leads to.
const release = "0.1.0"

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "print the versions of kvscen, Go and what is built in",
		Example: `  kvscen version`,
		Args:    needArgs(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return printVersion(cmd.OutOrStdout())
		},
	}
}

// version is the release and, where the build knows it, the commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return release
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	v := release
	if commit := settings["vcs.revision"]; commit != "" {
		v += "+" + commit[:min(len(commit), 12)]
	}
	if settings["vcs.modified"] == "true" {
		v += ".modified"
	}
	return v
}

// libraries are the modules whose versions bear on a result.
func libraries() map[string]string {
	return map[string]string{
		"go.etcd.io/etcd/server/v3":               "etcd, embedded",
		"go.etcd.io/etcd/client/v3":               "etcd, client",
		"github.com/syndtr/goleveldb":             "leveldb",
		"github.com/cockroachdb/pebble/v2":        "pebble",
		"go.etcd.io/bbolt":                        "bbolt",
		"go.etcd.io/etcd/client/v2":               "etcd, client of the v2 API",
		"google.golang.org/grpc":                  "grpc",
		"go.starlark.net":                         "starlark",
		"github.com/HdrHistogram/hdrhistogram-go": "hdrhistogram",
	}
}

func printVersion(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "kvscen\t%s\n", version())
	fmt.Fprintf(t, "go\t%s %s/%s\n", strings.TrimPrefix(runtime.Version(), "go"), runtime.GOOS, runtime.GOARCH)
	if info, ok := debug.ReadBuildInfo(); ok {
		names := libraries()
		for _, m := range info.Deps {
			if name, ok := names[m.Path]; ok {
				fmt.Fprintf(t, "%s\t%s\n", name, strings.TrimPrefix(m.Version, "v"))
			}
		}
	}
	return t.Flush()
}

package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestRecipesOfEndpointsAreSampled has every recipe with endpoints say what to
// sample there.
func TestRecipesOfEndpointsAreSampled(t *testing.T) {
	for _, store := range []string{"etcd", "etcdv2", "zookeeper", "consul", "cassandra", "zetcd", "cetcd"} {
		file := filepath.Join(t.TempDir(), store+".star")
		text := `
def main():
    return scenario(
        clusters = [stores["` + store + `"](
            endpoints = ["h1:1", "h2:1"], hosts = ["h1", host("h2", user = "u")], process = "p", data = "/data", log = ["/log1", "/log2"],
        )],
        phases = [phase("p", get(keys(1).one()), requests = 1)],
    )
`
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c := planOf(t, file, false).Runs[0].Cluster
		w := c.Watch
		if w == nil || w.Process != "p" || !slices.Equal(w.Data, []string{"/data"}) || !slices.Equal(w.Logs, []string{"/log1", "/log2"}) || len(w.PIDFiles) > 0 {
			t.Fatalf("%s: %+v", store, w)
		}
		if len(w.Hosts) != 2 || w.Hosts[0].Addr != "h1" || w.Hosts[1].User != "u" || w.Hosts[0].Upload || w.Hosts[1].Upload {
			t.Errorf("%s: hosts %+v", store, w.Hosts)
		}
		if len(c.Nodes) > 0 || len(c.Markers) == 0 {
			t.Errorf("%s: %d nodes, %d markers", store, len(c.Nodes), len(c.Markers))
		}
	}
}

// TestRecipesStartOnHosts names machines in both ways, with a port and without.
func TestRecipesStartOnHosts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hosts.star")
	text := `
def main():
    return scenario(
        clusters = [stores["etcd"](hosts = ["h1", host("h2", user = "u"), host("h3", port = 2222)])],
        phases = [phase("p", put(keys(1).one(), value(1)), requests = 1)],
    )
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	nodes := planOf(t, file, false).Runs[0].Cluster.Nodes
	if len(nodes) != 3 || nodes[0].Host.Addr != "h1" || nodes[0].Host.Port != 0 || nodes[1].Host.User != "u" || nodes[2].Host.Port != 2222 || !nodes[0].Host.Upload {
		t.Errorf("nodes %+v", nodes)
	}
}

package builtins_test

import (
	"strings"
	"testing"
)

// TestLimitsOfCluster compares phases with limits that the options of a cluster
// have raised, or with those of connections to each member.
func TestLimitsOfCluster(t *testing.T) {
	for name, c := range map[string]struct {
		cluster, phase string
		want           string // empty: no problem
	}{
		"value above":         {"", "value(2 * MiB)), clients = 1", "above the limit of etcd, 1048576 bytes"},
		"value, limit raised": {"options = dict(buffer = 2)", "value(2 * MiB)), clients = 1", ""},
		"connections at":      {"", "value(1)), clients = 1494", ""},
		"connections above":   {"", "value(1)), clients = steps([1, 1495])", "499 connections to each member, and 2 of kvscen itself, are above the limit of etcd, 500"},
		"shared":              {"", "value(1)), clients = 3000, connections = 1494", ""},
		"shared, above":       {"", "value(1)), clients = 3000, connections = 2000", "667 connections"},
		"to the leader":       {"target = \"leader\"", "value(1)), clients = 499", "499 connections"},
		"to two members":      {"target = [\"m1\", \"m2\"]", "value(1)), clients = 997", "499 connections"},
	} {
		_, problems := build(t, `
def main():
    return scenario([stores["etcd"](`+c.cluster+`)], [phase("w", put(keys(9).one(), `+c.phase+`, requests = 3000)])
`)
		switch {
		case c.want == "" && len(problems) > 0:
			t.Errorf("%s: %v", name, problems)
		case c.want != "" && (len(problems) != 1 || !strings.Contains(problems[0], c.want)):
			t.Errorf("%s: %q, want one that says %q", name, problems, c.want)
		}
	}
}

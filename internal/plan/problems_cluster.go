package plan

import (
	"regexp"
	"slices"
	"strings"
)

func (c *checker) cluster(k *Cluster) {
	c.name(k.Pos, "label", "cluster", k.Label)
	if len(k.Nodes) == 0 && len(k.Endpoints) == 0 {
		c.add(k.Pos, "nodes", "cluster %s: there is no node and no endpoint", k.Label)
	}
	if k.ReadyWithin <= 0 {
		c.add(k.Pos, "ready_within", "cluster %s: ready_within must be above zero, got %v", k.Label, k.ReadyWithin)
	}
	if k.Quota < 0 || k.Base < 0 || k.Overhead < 0 || k.Memory < 0 || k.Nominal.Latency < 0 || k.Nominal.Throughput < 0 {
		c.add(k.Pos, "", "cluster %s: quota, base, overhead, memory, latency and throughput must not be negative", k.Label)
	}
	for _, e := range k.Endpoints {
		if strings.TrimSpace(e) == "" {
			c.add(k.Pos, "endpoints", "cluster %s: an endpoint is empty", k.Label)
		}
	}
	c.watch(k)
	var names []string
	for i := range k.Nodes {
		n := &k.Nodes[i]
		c.name(n.Pos, "name", "node", n.Name)
		if slices.Contains(names, n.Name) {
			c.add(n.Pos, "name", "node: there is another node called %q in cluster %s", n.Name, k.Label)
		}
		names = append(names, n.Name)
		c.processes(k, n)
	}
	c.target(k, names)
	for i := range k.Markers {
		if _, err := regexp.Compile(k.Markers[i].Regexp); err != nil {
			c.add(k.Markers[i].Pos, "regexp", "marker %s: %v", k.Markers[i].Label, err)
		}
	}
}

// target checks the members that clients are to connect to.
func (c *checker) target(k *Cluster, names []string) {
	if k.Target == "all" || k.Target == "leader" || len(k.Nodes) == 0 {
		return
	}
	for name := range strings.SplitSeq(k.Target, ",") {
		if !slices.Contains(names, name) {
			c.add(k.Pos, "target", "cluster %s: target: there is no member %q, but %s%s", k.Label, name, listed(names), DidYouMean(name, names))
		}
	}
}

func (c *checker) processes(k *Cluster, n *Node) {
	var names []string
	for i := range n.Processes {
		p := &n.Processes[i]
		c.name(p.Pos, "name", "process", p.Name)
		if slices.Contains(names, p.Name) {
			c.add(p.Pos, "name", "process: there is another process called %q on node %s", p.Name, n.Name)
		}
		names = append(names, p.Name)
		if len(p.Argv) == 0 {
			c.add(p.Pos, "argv", "process %s: argv is empty", p.Name)
		}
		if p.Stop.Grace < 0 {
			c.add(p.Pos, "stop", "process %s: grace must not be negative, got %v", p.Name, p.Stop.Grace)
		}
		for _, after := range p.After {
			if !k.hasProcess(n, after) {
				c.add(p.Pos, "after", "process %s: after: there is no process %q on node %s, nor is it NODE.PROCESS of another", p.Name, after, n.Name)
			}
		}
	}
}

// hasProcess finds PROCESS on a node, or NODE.PROCESS anywhere. Names may hold
// dots themselves, so that both are compared as a whole.
func (k *Cluster) hasProcess(n *Node, name string) bool {
	for i := range k.Nodes {
		other := &k.Nodes[i]
		for _, p := range other.Processes {
			if name == other.Name+"."+p.Name || other.Name == n.Name && name == p.Name {
				return true
			}
		}
	}
	return false
}

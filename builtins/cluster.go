package builtins

import (
	"fmt"
	"strings"
	"time"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

// Cluster is how a cluster is set up, or where it runs already.
type Cluster struct {
	object
	plan plan.Cluster
}

func clusterBuiltin() builtin {
	return builtin{
		signature: `cluster(driver, nodes=None, endpoints=None, options={}, label=None, markers=[], target="all", user=None, password=None, tls=None, version=None, quota=None, base=None, overhead=None, memory=None, latency=None, throughput=None, ready_within=60*second, hosts=None, process=None, pidfile=None, data=None, log=None)`,
		doc:       "A cluster of a store: nodes to start, or endpoints of one that runs. quota, base (bytes that an empty member takes on disk), overhead (disk bytes for each byte of payload), memory (bytes of memory that a member takes at its peak for each byte of payload that it holds), latency and throughput serve the estimate before a run. Of endpoints, process (a name) or pidfile says which processes to sample, data and log where their files are, and hosts on which machines; each is one for all endpoints, or a list with one for each. Recipes are made of it.",
		make:      makeCluster,
	}
}

func makeCluster(c *call) (starlark.Value, error) {
	driver := c.str("driver", "")
	k := &Cluster{plan: plan.Cluster{
		Driver:      driver,
		Label:       c.str("label", driver),
		Endpoints:   c.strs("endpoints"),
		Version:     c.str("version", ""),
		Target:      c.target("target"),
		User:        c.str("user", ""),
		Password:    c.str("password", ""),
		Options:     c.options("options"),
		Quota:       int64(c.count("quota")),
		Base:        int64(c.count("base")),
		Overhead:    c.number("overhead", 0),
		Memory:      c.number("memory", 0),
		ReadyWithin: c.duration("ready_within", time.Minute),
		Nominal:     plan.Nominal{Latency: c.duration("latency", 0), Throughput: c.number("throughput", 0)},
		Pos:         c.site.pos,
	}}
	k.plan.Watch = c.watch()
	if t := one[*TLS](c, "tls", "tls(ca=...)"); t != nil {
		files := t.plan
		k.plan.TLS = &files
	}
	for _, m := range all[*Marker](c, "markers", "a marker(regexp, label)") {
		if m != nil {
			k.plan.Markers = append(k.plan.Markers, m.plan)
		}
	}
	nodes := all[*Node](c, "nodes", "a node(name, processes)")
	switch {
	case len(nodes) > 0 && len(k.plan.Endpoints) > 0:
		c.failAs("nodes", "give either nodes to start or endpoints to connect to")
	case len(nodes) == 0 && len(k.plan.Endpoints) == 0:
		c.fail("nodes", "there must be at least 1 node, or endpoints to connect to")
	}
	if c.err != nil {
		return nil, c.err
	}
	var err error
	if k.plan.Nodes, err = expand(c.thread, nodes); err != nil {
		return nil, err
	}
	k.object = c.object()
	for i, f := range k.fields {
		if f.name == "password" && k.plan.Password != "" {
			k.fields[i].value = starlark.String("***")
		}
	}
	return k, nil
}

// target reads "all", "leader", or the names of members.
func (c *call) target(name string) string {
	switch c.arg(name).(type) {
	case *starlark.List, starlark.Tuple:
		return strings.Join(c.strs(name), ",")
	}
	return c.str(name, "all")
}

// options reads the driver's options as the plain types that a plan holds.
func (c *call) options(name string) map[string]any {
	v := c.arg(name)
	if v == nil {
		return nil
	}
	d, ok := v.(*starlark.Dict)
	if !ok {
		c.fail(name, "want a dict, got %s", describe(v))
		return nil
	}
	out := make(map[string]any, d.Len())
	for _, item := range d.Items() {
		key, ok := item[0].(starlark.String)
		value, err := plain(item[1])
		if !ok || err != nil {
			c.fail(name, "want names and plain values, got %s: %s", describe(item[0]), describe(item[1]))
			return nil
		}
		out[string(key)] = value
	}
	return out
}

// plain turns a scalar into a bool, int64, float64, string or time.Duration.
func plain(v starlark.Value) (any, error) {
	switch v := v.(type) {
	case starlark.Bool:
		return bool(v), nil
	case starlark.Int:
		return wholeNumber(v)
	case starlark.Float:
		return float64(v), nil
	case starlark.String:
		return string(v), nil
	case Duration:
		return time.Duration(v), nil
	case Ref:
		return v.String(), nil
	}
	return nil, fmt.Errorf("want a plain value, got %s", v.Type())
}

// Attr reads a field.
func (k *Cluster) Attr(name string) (starlark.Value, error) { return k.attr(k, name) }

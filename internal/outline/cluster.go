package outline

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kvscen/kvscen/internal/plan"
)

// cluster prints how a cluster is set up.
func (o *outline) cluster(c *plan.Cluster) {
	what := c.Driver
	if c.Version != "" {
		what += " " + c.Version
	}
	switch {
	case len(c.Endpoints) > 0:
		o.line(0, "cluster %s: %s, running already at %s", c.Label, what, strings.Join(c.Endpoints, ", "))
	default:
		o.line(0, "cluster %s: %s, %s, ready within %s", c.Label, what, plural(len(c.Nodes), "member"), c.ReadyWithin)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Options)) {
		o.line(1, "option %s = %v", name, c.Options[name])
	}
	if c.Target != "" && c.Target != "all" {
		o.line(1, "clients connect to %s", c.Target)
	}
	for _, m := range c.Markers {
		o.line(1, "marker %s: log lines that match %s", m.Label, m.Regexp)
	}
	for _, n := range c.Nodes {
		o.node(n)
	}
}

func (o *outline) node(n plan.Node) {
	where := ""
	if n.Host != nil {
		where = " on " + n.Host.Addr
	}
	o.line(1, "member %s%s%s", n.Name, where, endpoint(n))
	for _, p := range n.Processes {
		o.process(p)
	}
}

func endpoint(n plan.Node) string {
	if n.Endpoint == "" {
		return ", in this process"
	}
	return " at " + n.Endpoint
}

func (o *outline) process(p plan.Process) {
	o.line(2, "process %s%s", p.Name, after(p))
	o.line(3, "%s", quoted(p.Argv))
	for _, name := range slices.Sorted(maps.Keys(p.Env)) {
		o.line(3, "%s=%s", name, p.Env[name])
	}
	for _, path := range slices.Sorted(maps.Keys(p.Files)) {
		o.line(3, "file %s", path)
		for text := range strings.Lines(p.Files[path]) {
			o.line(4, "%s", strings.TrimSuffix(text, "\n"))
		}
	}
	if p.Ready != nil {
		o.line(3, "ready: %s", ready(*p.Ready))
	}
	o.line(3, "stop: %s, KILL after %s", p.Stop.Signal, p.Stop.Grace)
}

func after(p plan.Process) string {
	if len(p.After) == 0 {
		return ""
	}
	return ", after " + strings.Join(p.After, ", ")
}

func ready(r plan.Ready) string {
	switch r.Kind {
	case "tcp":
		return r.Addr + " accepts connections"
	case "http":
		status := r.Status
		if status == 0 {
			status = 200
		}
		if r.Body != "" {
			return fmt.Sprintf("%s answers %d with a body that matches %s", r.URL, status, r.Body)
		}
		return fmt.Sprintf("%s answers %d", r.URL, status)
	case "log":
		return "a line of the log matches " + r.Regexp
	case "exec":
		return quoted(r.Argv) + " succeeds"
	}
	return r.Kind
}

// quoted joins a command line; words that a shell would split are quoted.
func quoted(argv []string) string {
	words := make([]string, len(argv))
	for i, a := range argv {
		words[i] = a
		if a == "" || strings.ContainsAny(a, " \t\n\"'\\") {
			words[i] = strconv.Quote(a)
		}
	}
	return strings.Join(words, " ")
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

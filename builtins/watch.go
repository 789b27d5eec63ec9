package builtins

import (
	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

// watch reads what a cluster says of processes that run already; nil: nothing.
func (c *call) watch() *plan.Watch {
	w := &plan.Watch{
		Process:  c.str("process", ""),
		PIDFiles: c.oneOrMore("pidfile"),
		Data:     c.oneOrMore("data"),
		Logs:     c.oneOrMore("log"),
	}
	for i, v := range c.list("hosts") {
		switch v := v.(type) {
		case *Host:
			w.Hosts = append(w.Hosts, v.plan)
		case starlark.String:
			w.Hosts = append(w.Hosts, plan.Host{Addr: string(v), Pos: c.site.pos})
		default:
			c.fail("hosts", "element %d: want a host(addr) or its address, got %s", i, describe(v))
		}
	}
	for i := range w.Hosts {
		w.Hosts[i].Upload = false // nothing of ours runs there
	}
	if w.Process == "" && len(w.PIDFiles)+len(w.Data)+len(w.Logs)+len(w.Hosts) == 0 {
		return nil
	}
	return w
}

// oneOrMore reads a string, or a list of them; an empty string is none.
func (c *call) oneOrMore(name string) []string {
	switch v := c.arg(name).(type) {
	case nil:
		return nil
	case starlark.String:
		if v == "" {
			return nil
		}
		return []string{string(v)}
	}
	return c.strs(name)
}

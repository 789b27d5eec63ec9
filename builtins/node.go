package builtins

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

// Node is one member of a cluster. Its functions run when the cluster is made,
// because only then all members are known.
type Node struct {
	object
	name      string
	processes starlark.Callable // nil: the store lives in our own process
	endpoint  starlark.Value    // a function, a string, or nil
	host      *Host
}

func nodeBuiltin() builtin {
	return builtin{
		signature: "node(name, processes=None, endpoint=None, host=None)",
		doc:       "A member. processes(m) gives its processes and endpoint(m) where clients connect; m is the member by references: m.name, m.index, m.ip, m.dir, m.port(name), m.members.",
		make:      makeNode,
	}
}

func makeNode(c *call) (starlark.Value, error) {
	n := &Node{
		name:      c.str("name", ""),
		processes: one[starlark.Callable](c, "processes", "a function of the member"),
		endpoint:  c.arg("endpoint"),
		host:      one[*Host](c, "host", "host(addr)"),
	}
	switch n.endpoint.(type) {
	case nil, starlark.String, Ref, starlark.Callable:
	default:
		c.fail("endpoint", "want a string or a function of the member, got %s", describe(n.endpoint))
	}
	if n.processes != nil && n.endpoint == nil {
		c.fail("processes", "say with endpoint= where clients connect to them")
	}
	n.object = c.object()
	return n, nil
}

// Attr reads a field.
func (n *Node) Attr(name string) (starlark.Value, error) { return n.attr(n, name) }

// expand calls the functions of all nodes with symbolic members.
func expand(thread *starlark.Thread, nodes []*Node) ([]plan.Node, error) {
	members := make([]*Member, len(nodes))
	list := make(starlark.Tuple, len(nodes))
	for i, n := range nodes {
		members[i] = &Member{name: n.name, index: i}
		list[i] = members[i]
	}
	var out []plan.Node
	for i, n := range nodes {
		members[i].members = list
		p, err := n.expand(thread, members[i])
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func (n *Node) expand(thread *starlark.Thread, m *Member) (plan.Node, error) {
	p := plan.Node{Name: n.name, Pos: n.site.pos}
	if n.host != nil {
		host := n.host.plan
		p.Host = &host
	}
	if n.processes != nil {
		v, err := starlark.Call(thread, n.processes, starlark.Tuple{m}, nil)
		if err != nil {
			return p, err
		}
		if p.Processes, err = n.processList(v); err != nil {
			return p, err
		}
	}
	endpoint := n.endpoint
	if fn, ok := endpoint.(starlark.Callable); ok {
		var err error
		if endpoint, err = starlark.Call(thread, fn, starlark.Tuple{m}, nil); err != nil {
			return p, err
		}
	}
	if endpoint == nil {
		return p, nil
	}
	s, ok := text(endpoint)
	if !ok {
		return p, n.wrong("endpoint", fmt.Sprintf("want a string, got %s", describe(endpoint)))
	}
	p.Endpoint = s
	return p, nil
}

// processList reads what the function returned: one process or several.
func (n *Node) processList(v starlark.Value) ([]plan.Process, error) {
	elems, ok := elements(v)
	if !ok {
		elems = []starlark.Value{v}
	}
	var out []plan.Process
	for _, e := range elems {
		p, ok := e.(*Process)
		if !ok {
			return nil, n.wrong("processes", fmt.Sprintf("the function must return process(...) or a list of them, got %s", describe(e)))
		}
		out = append(out, p.plan)
	}
	return out, nil
}

func (n *Node) wrong(arg, text string) error {
	return &ArgError{Pos: n.site.pos, Name: arg, Index: -1, Text: "node " + n.name + ": " + arg + ": " + text}
}

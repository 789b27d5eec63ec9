package cluster

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"github.com/kvscen/kvscen/internal/plan"
)

// substitute replaces every token in text by what resolve makes of the
// reference in it. What resolve returns is not looked at again, but that an
// address of IPv6 before a colon is put in brackets: a port follows.
func substitute(text string, resolve func(ref string) (string, error)) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, plan.TokenOpen)
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		ref, after, closed := strings.Cut(rest, plan.TokenClose)
		if !closed {
			return "", fmt.Errorf("the reference %q has no end", plan.TokenOpen+rest)
		}
		value, err := resolve(ref)
		if err != nil {
			return "", fmt.Errorf("the reference %s: %w", plan.Token(ref), err)
		}
		if addr, err := netip.ParseAddr(value); err == nil && addr.Is6() && strings.HasPrefix(after, ":") {
			value = "[" + value + "]"
		}
		b.WriteString(value)
		text = after
	}
}

// resolver knows what the tokens of one node stand for.
type resolver struct {
	at    place // of the node that they stand in
	nodes map[string]place
}

func (r *resolver) resolve(ref string) (string, error) {
	if ref == "self" {
		return r.at.self()
	}
	if name, ok := strings.CutPrefix(ref, "find:"); ok {
		path, err := r.at.machine.LookPath(name)
		if err != nil {
			return "", err
		}
		return path, nil
	}
	if pattern, ok := strings.CutPrefix(ref, "glob:"); ok {
		found, err := r.at.machine.Glob(pattern)
		if err == nil && len(found) == 0 {
			err = errors.New("no file matches")
		}
		return strings.Join(found, ":"), err
	}
	return r.ofNode(ref)
}

// ofNode resolves NODE.ip, NODE.dir and NODE.port.NAME. Names of nodes may hold
// dots: the longest that fits is meant.
func (r *resolver) ofNode(ref string) (string, error) {
	for end := len(ref); end > 0; end = strings.LastIndexByte(ref[:end], '.') {
		at, ok := r.nodes[ref[:end]]
		if !ok {
			continue
		}
		field := strings.TrimPrefix(ref[end:], ".")
		switch port, isPort := strings.CutPrefix(field, "port."); {
		case field == "ip":
			return at.ip, nil
		case field == "dir":
			return at.dir, nil
		case isPort && port != "":
			return at.ports.named(ref, at.ip)
		}
		return "", fmt.Errorf("a node has no %q; it has ip, dir and port.NAME", field)
	}
	return "", errors.New("there is no such node, nor another thing of that name")
}

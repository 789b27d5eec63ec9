package reference

import (
	"fmt"
	"strings"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// stores is the reference of what each store can do, from its Spec.
func stores(specs []drivers.Spec) []byte {
	p := newPage("Stores", `What each store can do, by the names that a scenario uses. Where no consistency
is named, the first one listed is taken; "strong" and "weak" mean the ones marked so.`)
	for _, s := range specs {
		p.store(s)
	}
	return p.Bytes()
}

func (p *page) store(s drivers.Spec) {
	p.printf("\n## %s\n\n%s\n", s.Name, strings.TrimSpace(s.Doc))
	if s.InProcess {
		p.printf("\nIt lives inside kvscen, so the figures of servers are those of the client.\n")
	}
	p.table("Operation", "Consistency", "One request becomes", "Takes")
	for _, o := range s.Ops {
		p.operation(&s, o)
	}
	if len(s.Options) > 0 {
		p.printf("\nOptions of a connection, in `cluster(options = {...})`:\n")
		p.table("Option", "Default", "Values", "Meaning")
		for _, o := range s.Options {
			p.row(code(o.Name), code(fmt.Sprintf("%v", o.Default)), o.Range(), o.Doc)
		}
	}
	p.limits(s.Limits)
	if s.Secure {
		p.printf("\nConnections may be secured by TLS, with a user and password.\n")
	}
}

func (p *page) operation(s *drivers.Spec, o drivers.OpInfo) {
	var takes []string
	if o.Limit {
		takes = append(takes, code("limit"))
	}
	if o.TTL {
		takes = append(takes, code("ttl"))
	}
	if o.KeysOnly {
		takes = append(takes, code("keys_only"))
	}
	if len(o.Consistencies) == 0 {
		p.row(code(o.Kind.String()), "", becomes(s, o, ""), strings.Join(takes, ", "))
		return
	}
	for i, c := range o.Consistencies {
		name := ""
		if i == 0 {
			name = code(o.Kind.String())
		}
		p.row(name, code(c.Name)+meaning(c), becomes(s, o, c.Name), strings.Join(takes, ", "))
	}
}

// becomes says what a request becomes, and what in each variant that differs.
func becomes(s *drivers.Spec, o drivers.OpInfo, consistency string) string {
	op := drivers.OpSpec{Kind: o.Kind, Consistency: consistency}
	plain := s.Describe(op)
	text := plain
	variant := func(with string, op drivers.OpSpec) {
		if t := s.Describe(op); t != plain {
			text += "; with " + code(with) + " " + t
		}
	}
	ttl, absent, cas := op, op, op
	ttl.TTL, absent.Absent = time.Second, true
	cas.Ops = []drivers.OpSpec{{Kind: drivers.CAS}}
	variant("ttl", ttl)
	variant("absent", absent)
	if o.Kind == drivers.Txn {
		variant("cas", cas)
	}
	return text
}

func meaning(c drivers.Consistency) string {
	switch {
	case c.Strong && c.Weak:
		return " (strong, weak)"
	case c.Strong:
		return " (strong)"
	case c.Weak:
		return " (weak)"
	}
	return ""
}

// limits lists the limits that are known.
func (p *page) limits(l drivers.Limits) {
	var known []string
	for _, limit := range []struct {
		n    int64
		what string
	}{
		{l.Key, "bytes in a key"}, {l.Value, "bytes in a value"},
		{l.Reply, "bytes in a reply"}, {l.Txn, "operations in a transaction"},
	} {
		if limit.n > 0 {
			known = append(known, fmt.Sprintf("%d %s", limit.n, limit.what))
		}
	}
	if len(known) > 0 {
		p.printf("\nLimits: at most %s.\n", strings.Join(known, ", "))
	}
}

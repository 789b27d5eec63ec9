package main

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kvscen/kvscen/internal/plan"
)

// lookups are the programs and the patterns of files that the members of a
// cluster need on this machine. Those of other hosts are looked up there.
func lookups(c *plan.Cluster) (programs, files []string) {
	for _, n := range c.Nodes {
		if n.Host != nil {
			continue
		}
		for i := range n.Processes {
			p := &n.Processes[i]
			if name := p.Argv[0]; filepath.IsAbs(name) {
				programs = union(programs, []string{name})
			}
			for _, text := range textsOf(p) {
				programs = union(programs, named(text, "find:"))
				files = union(files, named(text, "glob:"))
			}
		}
	}
	return programs, files
}

// textsOf lists all that may hold a token.
func textsOf(p *plan.Process) []string {
	texts := slices.Clone(p.Argv)
	texts = slices.AppendSeq(texts, maps.Values(p.Env))
	texts = slices.AppendSeq(texts, maps.Values(p.Files))
	if p.Ready != nil {
		texts = append(texts, p.Ready.Argv...)
	}
	return texts
}

// named lists what the tokens of a kind in a text name.
func named(text, kind string) []string {
	var names []string
	for {
		_, rest, found := strings.Cut(text, plan.TokenOpen+kind)
		if !found {
			return names
		}
		name, after, closed := strings.Cut(rest, plan.TokenClose)
		if !closed {
			return names
		}
		names, text = append(names, name), after
	}
}

// union adds what is not there yet.
func union(list, more []string) []string {
	for _, m := range more {
		if !slices.Contains(list, m) {
			list = append(list, m)
		}
	}
	return list
}

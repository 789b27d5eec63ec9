package main

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/doctor"
	"github.com/kvscen/kvscen/internal/plan"
)

// announce prints what is ahead and refuses a run that this machine can't carry.
func announce(cmd *cobra.Command, p *plan.Plan, data string, quiet bool) error {
	if !quiet {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", p.Name, p.Estimate())
	}
	if err := doctor.RaiseOpenFiles(); err != nil && !quiet {
		fmt.Fprintln(cmd.ErrOrStderr(), "warning:", err)
	}
	known, err := recipes(cmd.Context())
	if err != nil {
		return internal("%w", err)
	}
	var refused *failure
	for _, c := range doctor.Preflight(doctor.This(), needs(p, specs(), data), known) {
		switch {
		case c.Status == doctor.Bad && refused == nil:
			refused = setup("%s: %s\n%s", c.Name, c.Text, c.Advice)
		case c.Status >= doctor.Warn && !quiet:
			fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s: %s (%s)\n", c.Name, c.Text, c.Advice)
		}
	}
	if refused != nil {
		return refused
	}
	return nil
}

// needs is what the plan asks of this machine. Clusters run one after the
// other, so the largest counts.
func needs(p *plan.Plan, specs []drivers.Spec, data string) doctor.Need {
	n := doctor.Need{Data: data}
	estimates := p.Estimate().Clusters
	for at, r := range p.Runs {
		if !allElsewhere(&r.Cluster) {
			if estimates[at].Started {
				n.Disk = max(n.Disk, estimates[at].Disk)
			}
			n.Members = max(n.Members, estimates[at].Memory)
			n.Ports = max(n.Ports, ports(r.Cluster))
			programs, files := lookups(&r.Cluster)
			n.Programs, n.Files = union(n.Programs, programs), union(n.Files, files)
		}
		i := slices.IndexFunc(specs, func(s drivers.Spec) bool { return s.Name == r.Cluster.Driver })
		spec := drivers.Spec{}
		if i >= 0 {
			spec = specs[i].With(r.Cluster.Options)
		}
		connections := connectionsAtOnce(r.Groups, max(int(spec.Sockets), 1))
		n.Connections = max(n.Connections, connections)
		n.Memory = max(n.Memory, spec.ConnBytes*int64(connections))
	}
	return n
}

// connectionsAtOnce is the most TCP connections that any group holds: phases of
// a group run together, each with those of its largest step. Of the sockets that
// a connection may open no more are in use than there are clients.
func connectionsAtOnce(groups []plan.Group, sockets int) int {
	most := 0
	for _, g := range groups {
		together := 0
		for _, p := range g.Phases {
			largest := 0
			for _, s := range p.Steps {
				open := s.Connections
				if s.Clients > open && sockets > 1 {
					open = min(s.Clients, open*min(sockets, s.Clients))
				}
				largest = max(largest, open)
			}
			together += largest
		}
		most = max(most, together)
	}
	return most
}

// ports counts the distinct ports that the members of a cluster ask for.
func ports(c plan.Cluster) int {
	token := regexp.MustCompile(regexp.QuoteMeta(plan.TokenOpen) + `[^}]*\.port\.[^}]*` + regexp.QuoteMeta(plan.TokenClose))
	seen := map[string]bool{}
	note := func(text string) {
		for _, t := range token.FindAllString(text, -1) {
			seen[t] = true
		}
	}
	for _, n := range c.Nodes {
		note(n.Endpoint)
		for _, p := range n.Processes {
			for _, a := range p.Argv {
				note(a)
			}
			for _, v := range p.Env {
				note(v)
			}
			for _, text := range p.Files {
				note(text)
			}
		}
	}
	return len(seen)
}

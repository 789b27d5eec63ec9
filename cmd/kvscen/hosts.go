package main

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"

	"github.com/kvscen/kvscen/internal/host"
	"github.com/kvscen/kvscen/internal/host/sshlink"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// connectable are the machines of a plan, by the SSH settings of the user; nil:
// the plan has none. Nothing is connected to yet.
func connectable(p *plan.Plan, self, out string) (*host.Hosts, error) {
	if !anywhereElse(p) {
		return nil, nil
	}
	settings, err := sshlink.UserSettings()
	if err != nil {
		return nil, setup("finding the SSH settings: %w", err)
	}
	// Runs of one name from several machines may meet on a host.
	run := fmt.Sprintf("%s-%.8s", filepath.Base(out), rand.Text())
	return host.NewHosts(host.Config{Self: self, Run: run, SSH: settings}), nil
}

// placeOn puts the members of a plan on the hosts of a file; an empty name leaves
// the plan as it is.
func placeOn(p *plan.Plan, file string) error {
	if file == "" {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return usage("reading the hosts: %w", err)
	}
	hosts, err := plan.ParseHosts(file, string(text))
	if err != nil {
		return &failure{result.StatusUsage, err}
	}
	if err := p.Place(hosts); err != nil {
		return usage("--hosts %s: %w", file, err)
	}
	return nil
}

// anywhereElse reports whether a plan starts or samples a member on another
// machine.
func anywhereElse(p *plan.Plan) bool {
	for _, r := range p.Runs {
		if w := r.Cluster.Watch; w != nil && len(w.Hosts) > 0 {
			return true
		}
		for _, n := range r.Cluster.Nodes {
			if n.Host != nil {
				return true
			}
		}
	}
	return false
}

// allElsewhere reports whether no member of a cluster is started here.
func allElsewhere(c *plan.Cluster) bool {
	for _, n := range c.Nodes {
		if n.Host == nil {
			return false
		}
	}
	return true
}

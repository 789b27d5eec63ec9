package cluster

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/kvscen/kvscen/internal/host"
	"github.com/kvscen/kvscen/internal/plan"
)

// loopback is the address of every node of this machine.
const loopback = "127.0.0.1"

// Hosts connects to machines.
type Hosts interface {
	Get(context.Context, host.Spec) (*host.Remote, error)
}

// place is where a node lives.
type place struct {
	machine machine
	remote  *host.Remote // nil: this machine
	self    func() (string, error)
	ports   *ports
	ip      string
	dir     string // of its data, absolute
	logs    string // folder of its logs, absolute
}

// places finds out where each node lives. Nodes of one machine share its ports.
func places(ctx context.Context, c *plan.Cluster, cfg Config) (_ map[string]place, err error) {
	found := make(map[string]place)
	taken := make(map[*host.Remote]*ports)
	defer func() {
		if err != nil {
			for _, p := range taken {
				p.release()
			}
		}
	}()
	for _, n := range c.Nodes {
		var r *host.Remote
		if n.Host != nil {
			if r, err = cfg.connect(ctx, n.Host); err != nil {
				return nil, &Error{Pos: n.Host.Pos, Member: n.Name, Err: err}
			}
		}
		if taken[r] == nil {
			if taken[r], err = portsOf(ctx, r); err != nil {
				return nil, &Error{Pos: n.Pos, Member: n.Name, Err: err}
			}
		}
		p := place{ports: taken[r], remote: r}
		if r == nil {
			p.machine, p.ip = host.Local{Self: cfg.Self}, loopback
			p.self = func() (string, error) { return cfg.Self, nil }
			p.dir, p.logs = filepath.Join(cfg.Dir, n.Name), cfg.LogDir
		} else {
			p.machine, p.ip, p.self = r, r.IP(), r.Self
			p.dir, p.logs = filepath.Join(r.Folder(cfg.Name), n.Name), filepath.Join(r.Folder(cfg.Name), "logs")
		}
		found[n.Name] = p
	}
	return found, nil
}

// connect connects to the machine of a node.
func (cfg Config) connect(ctx context.Context, h *plan.Host) (*host.Remote, error) {
	if cfg.Hosts == nil {
		return nil, fmt.Errorf("it asks for host %s, but there is nothing here to connect to it", h.Addr)
	}
	return cfg.Hosts.Get(ctx, SpecOf(h))
}

// SpecOf is what a host of the plan is to package host.
func SpecOf(h *plan.Host) host.Spec {
	s := host.Spec{IP: h.IP, Dir: h.Dir, Sudo: h.Sudo, Upload: h.Upload}
	s.Addr, s.User, s.Port, s.Key = h.Addr, h.User, h.Port, h.Key
	return s
}

// portsOf hands out the ports of a machine.
func portsOf(ctx context.Context, r *host.Remote) (*ports, error) {
	if r == nil {
		return newPorts()
	}
	return remotePorts(ctx, r)
}

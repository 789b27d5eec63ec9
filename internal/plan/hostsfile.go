package plan

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
)

// ParseHosts reads a file of hosts, one a line:
//
//	[user@]addr[:port] [key=FILE] [ip=ADDR] [dir=FOLDER] [sudo=yes] [upload=no]
//
// Empty lines and what follows a # are passed over. The error tells every line
// that is wrong, by file and line.
func ParseHosts(file, text string) ([]Host, error) {
	var hosts []Host
	var errs []error
	number := 0
	for line := range strings.Lines(text) {
		number++
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		h, err := parseHost(fields)
		h.Pos = Pos{File: file, Line: number, Col: 1}
		if err != nil {
			errs = append(errs, fmt.Errorf("%v: %w", h.Pos, err))
		}
		hosts = append(hosts, h)
	}
	if len(hosts) == 0 {
		errs = append(errs, fmt.Errorf("%s: there is no host in it", file))
	}
	return hosts, errors.Join(errs...)
}

func parseHost(fields []string) (Host, error) {
	h := Host{Addr: fields[0], Upload: true}
	if user, rest, ok := strings.Cut(h.Addr, "@"); ok {
		h.User, h.Addr = user, rest
	}
	if addr, port, err := net.SplitHostPort(h.Addr); err == nil {
		n, err := strconv.Atoi(port)
		if err != nil || n < 1 || n > 65535 {
			return h, fmt.Errorf("the port must lie between 1 and 65535, got %q", port)
		}
		h.Addr, h.Port = addr, n
	}
	h.Addr = strings.TrimSuffix(strings.TrimPrefix(h.Addr, "["), "]")
	if h.Addr == "" {
		return h, fmt.Errorf("want [user@]addr[:port], got %q", fields[0])
	}
	texts := map[string]*string{"key": &h.Key, "ip": &h.IP, "dir": &h.Dir}
	switches := map[string]*bool{"sudo": &h.Sudo, "upload": &h.Upload}
	names := []string{"key", "ip", "dir", "sudo", "upload"}
	for _, f := range fields[1:] {
		name, value, _ := strings.Cut(f, "=")
		switch {
		case value == "":
			return h, fmt.Errorf("want NAME=VALUE after the address, got %q", f)
		case texts[name] != nil:
			*texts[name] = value
		case switches[name] != nil:
			if !slices.Contains([]string{"yes", "no"}, value) {
				return h, fmt.Errorf("%s must be yes or no, got %q", name, value)
			}
			*switches[name] = value == "yes"
		default:
			return h, fmt.Errorf("a host has no %q; it has %s%s", name, strings.Join(names, ", "), DidYouMean(name, names))
		}
	}
	return h, nil
}

// Place puts the nodes of every cluster on the hosts, the first on the first.
// Nodes that have a host already stay there, clusters that run already and those
// in our own process are left alone. A cluster with more nodes than hosts is an
// error: two members of one machine would say little of the store.
func (p *Plan) Place(hosts []Host) error {
	for i := range p.Runs {
		c := &p.Runs[i].Cluster
		free := hosts
		for j := range c.Nodes {
			n := &c.Nodes[j]
			if n.Host != nil || len(n.Processes) == 0 {
				continue
			}
			if len(free) == 0 {
				return fmt.Errorf("cluster %s has %d nodes, and there are %d hosts: give a host for each, or fewer nodes", c.Label, len(c.Nodes), len(hosts))
			}
			n.Host, free = &free[0], free[1:]
		}
	}
	return nil
}

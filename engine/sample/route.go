package sample

import (
	"errors"
	"fmt"
	"net"
	"time"
)

// lookupWithin bounds the look-up of an endpoint's name.
const lookupWithin = 5 * time.Second

// Route says over which network interface this machine reaches an endpoint
// (host:port), and whether that is the loopback one. It sends nothing.
func Route(endpoint string) (name string, loopback bool, err error) {
	conn, err := net.DialTimeout("udp", endpoint, lookupWithin) // chooses a route; no packet goes out
	if err != nil {
		return "", false, fmt.Errorf("finding the route to %s: %w", endpoint, err)
	}
	defer conn.Close()
	local, ok1 := conn.LocalAddr().(*net.UDPAddr)
	remote, ok2 := conn.RemoteAddr().(*net.UDPAddr)
	if !ok1 || !ok2 {
		return "", false, fmt.Errorf("finding the route to %s: no addresses", endpoint)
	}
	// What goes to an own address never leaves by the interface that has it.
	own := local.IP.Equal(remote.IP) || local.IP.IsLoopback()
	name, loopback, err = interfaceWith(func(i net.Interface, ip net.IP) bool {
		if own {
			return i.Flags&net.FlagLoopback != 0
		}
		return ip.Equal(local.IP)
	})
	if err != nil {
		return "", false, fmt.Errorf("finding the route to %s: %w", endpoint, err)
	}
	return name, loopback, nil
}

// interfaceWith finds the first interface with an address that is wanted.
func interfaceWith(wanted func(net.Interface, net.IP) bool) (name string, loopback bool, err error) {
	interfaces, err := net.Interfaces()
	if err != nil {
		return "", false, fmt.Errorf("listing interfaces: %w", err)
	}
	for _, i := range interfaces {
		addrs, err := i.Addrs()
		if err != nil {
			return "", false, fmt.Errorf("listing the addresses of %s: %w", i.Name, err)
		}
		for _, a := range addrs {
			if n, ok := a.(*net.IPNet); ok && wanted(i, n.IP) {
				return i.Name, i.Flags&net.FlagLoopback != 0, nil
			}
		}
	}
	return "", false, errors.New("no interface has its address")
}

package doctor

import (
	"fmt"
	"net"
	"strconv"
	"strings"
)

// The ports that members are given lie between these; the ephemeral range of
// outgoing connections must begin above them, or it could take one away.
const (
	firstPort = 10000
	lastPort  = 32767
	portTries = 64
)

// Ports tries to find need free ports on the loopback interface, below the
// ephemeral range. With need = 0 it tries three members' worth.
func Ports(m Machine, need int) Check {
	if need <= 0 {
		need = 6
	}
	c := Check{Name: "ports"}
	low, high, known := ephemeral(m.read("proc/sys/net/ipv4/ip_local_port_range"))
	free := freePorts(need)
	c.Text = fmt.Sprintf("free ones found between %d and %d", firstPort, lastPort)
	if known {
		c.Text += fmt.Sprintf(", outgoing connections use %d to %d", low, high)
	}
	switch {
	case free < need:
		c.Status = Bad
		c.Text = fmt.Sprintf("%d free ports are needed on 127.0.0.1, %d were found between %d and %d", need, free, firstPort, lastPort)
		c.Advice = "end what listens there (ss -ltnp shows it)"
	case known && low <= firstPort:
		c.Status = Warn
		c.Advice = "an outgoing connection may take a member's port; raise net.ipv4.ip_local_port_range"
	case known && high-low < 10000:
		c.Status = Warn
		c.Advice = "few ports are left for connections to members; widen net.ipv4.ip_local_port_range"
	}
	return c
}

// freePorts listens on ports spread over the range until need were free or the
// tries are used up. It holds them all until the end, so none counts twice.
func freePorts(need int) int {
	var held []net.Listener
	defer func() {
		for _, l := range held {
			l.Close()
		}
	}()
	tries := max(portTries, 4*need)
	stride := max((lastPort-firstPort)/tries, 1)
	for i := range tries {
		port := firstPort + i*stride
		if len(held) == need || port > lastPort {
			break
		}
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err == nil {
			held = append(held, l)
		}
	}
	return len(held)
}

// ephemeral reads the two numbers of ip_local_port_range.
func ephemeral(text string) (low, high int, ok bool) {
	f := strings.Fields(text)
	if len(f) != 2 {
		return 0, 0, false
	}
	low, err := strconv.Atoi(f[0])
	if err != nil {
		return 0, 0, false
	}
	high, err = strconv.Atoi(f[1])
	return low, high, err == nil
}

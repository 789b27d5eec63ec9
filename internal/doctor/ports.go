package doctor

import (
	"fmt"
	"strconv"
	"strings"
	"syscall"
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
	free := freePorts(need, isFree)
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

// freePorts looks at ports spread over the range until need were free or the tries
// are used up.
func freePorts(need int, free func(port int) bool) int {
	found := 0
	tries := max(portTries, 4*need)
	stride := max((lastPort-firstPort)/tries, 1)
	for i := range tries {
		port := firstPort + i*stride
		if found == need || port > lastPort {
			break
		}
		if free(port) {
			found++
		}
	}
	return found
}

// isFree binds a port and does not listen on it. That fails where somebody else
// listens, and keeps nobody from doing so meanwhile: a member that is started again
// may be about to.
func isFree(port int) bool {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		return false
	}
	defer syscall.Close(fd)
	if err := syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1); err != nil {
		return false
	}
	return syscall.Bind(fd, &syscall.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}) == nil
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

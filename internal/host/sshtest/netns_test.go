package sshtest

import (
	"net"
	"strings"
	"testing"
	"time"
)

// TestMachines: each answers to its own addresses, until its link or its server is
// taken away, and again when they are given back.
func TestMachines(t *testing.T) {
	m := NewMachines(t, 2)
	if m.Servers[0].Address == m.Servers[1].Address || !strings.HasPrefix(m.Here, "10.77.") {
		t.Fatalf("%s, %s and here %s", m.Servers[0].Address, m.Servers[1].Address, m.Here)
	}
	answers := func(address string, want bool) {
		t.Helper()
		var err error
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			var c net.Conn
			if c, err = net.DialTimeout("tcp", net.JoinHostPort(address, "22"), time.Second); err == nil {
				c.Close()
			}
			if (err == nil) == want {
				return
			}
		}
		t.Fatalf("%s answers: %v, want %v", address, err, want)
	}
	answers(m.Servers[1].Address, true)
	answers(m.Six[1], true)
	m.Cut(t, 1)
	answers(m.Servers[1].Address, false)
	answers(m.Servers[0].Address, true)
	m.Mend(t, 1)
	answers(m.Servers[1].Address, true)
	m.StopServer(t, 1)
	answers(m.Servers[1].Address, false)
	m.StartServer(t, 1)
	answers(m.Servers[1].Address, true)
	if left := m.Left(1); len(left) > 0 {
		t.Errorf("beside sshd there runs %q", left)
	}
}

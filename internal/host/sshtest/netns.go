package sshtest

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Machines are network namespaces that stand for machines: each has an address
// of its own on a bridge that this machine is on, too, and an sshd.
type Machines struct {
	Servers []*Server

	t       testing.TB
	devices []string // our ends of the links
}

// NewMachines makes n machines at SUBNET.1 and so on; we are SUBNET.254. The test is
// skipped where that takes more rights than there are, or a program that is not
// installed; in CI both are failures.
func NewMachines(t testing.TB, subnet string, n int) *Machines {
	t.Helper()
	Program(t)
	if _, err := exec.LookPath("ip"); err != nil {
		lacking(t, "ip is not installed (iproute2)")
	}
	if os.Getuid() != 0 {
		lacking(t, "network namespaces need root")
	}
	m := &Machines{t: t}
	id := fmt.Sprintf("kv%d", os.Getpid()%100_000) // names of interfaces are short
	bridge := id + "b"
	if out, err := exec.Command("ip", "link", "add", bridge, "type", "bridge").CombinedOutput(); err != nil {
		lacking(t, "no bridge can be made here: "+string(out))
	}
	t.Cleanup(func() { _ = exec.Command("ip", "link", "del", bridge).Run() })
	m.ip("addr", "add", subnet+".254/24", "dev", bridge)
	m.ip("link", "set", bridge, "up")
	for i := 1; i <= n; i++ {
		name, near, far := fmt.Sprintf("%sn%d", id, i), fmt.Sprintf("%sv%d", id, i), fmt.Sprintf("%sw%d", id, i)
		m.ip("netns", "add", name)
		t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", name).Run() })
		m.ip("link", "add", near, "type", "veth", "peer", "name", far, "netns", name)
		// A namespace lives on while a process is in it.
		t.Cleanup(func() { _ = exec.Command("ip", "link", "del", near).Run() })
		m.ip("link", "set", near, "master", bridge, "up")
		m.ip("-n", name, "link", "set", "lo", "up")
		m.ip("-n", name, "addr", "add", fmt.Sprintf("%s.%d/24", subnet, i), "dev", far)
		m.ip("-n", name, "link", "set", far, "up")
		m.devices = append(m.devices, near)
		m.Servers = append(m.Servers, Start(t, Options{Address: fmt.Sprintf("%s.%d", subnet, i), Port: 22, Namespace: name}))
	}
	return m
}

// Cut takes the link of a machine away.
func (m *Machines) Cut(i int) { m.ip("link", "set", m.devices[i], "down") }

func (m *Machines) ip(args ...string) {
	m.t.Helper()
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		m.t.Fatalf("ip %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func lacking(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(what)
	}
	t.Skip(what)
}

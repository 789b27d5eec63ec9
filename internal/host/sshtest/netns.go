package sshtest

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Machines are network namespaces that stand for machines: each has addresses
// of its own on a bridge that this machine is on, too, and an sshd.
type Machines struct {
	Servers []*Server // by their IPv4 addresses
	Six     []string  // their IPv6 addresses
	Here    string    // our own address on their network

	names   []string // of the namespaces
	devices []string // our ends of the links
}

// mtu is of large frames, whose headers are less than 1 % of what is sent.
const mtu = "9000"

// NewMachines makes n machines, on a network whose number is this process's: tests
// of several packages run at the same time. The test is skipped where that takes
// more rights than there are, or a program that is not installed; in CI both are
// failures.
func NewMachines(t testing.TB, n int) *Machines {
	t.Helper()
	Program(t)
	if _, err := exec.LookPath("ip"); err != nil {
		lacking(t, "ip is not installed (iproute2)")
	}
	if os.Getuid() != 0 {
		lacking(t, "network namespaces need root")
	}
	removeLeft(t)
	id := fmt.Sprintf("kv%d", os.Getpid()) // names of interfaces have 15 bytes at most
	four, six := fmt.Sprintf("10.77.%d.", os.Getpid()%250), fmt.Sprintf("fd77:%x::", os.Getpid()%0xffff)
	m := &Machines{Here: four + "254"}
	bridge := id + "b"
	// A bridge that listens for multicast groups passes nothing on at first, and
	// IPv6 finds its neighbours by multicast.
	if out, err := exec.Command("ip", "link", "add", bridge, "type", "bridge", "mcast_snooping", "0").CombinedOutput(); err != nil {
		lacking(t, "no bridge can be made here: "+string(out))
	}
	t.Cleanup(func() { _ = exec.Command("ip", "link", "del", bridge).Run() })
	ip(t, "addr", "add", m.Here+"/24", "dev", bridge)
	ip(t, "addr", "add", six+"fe/64", "dev", bridge, "nodad")
	ip(t, "link", "set", bridge, "mtu", mtu, "up")
	for i := 1; i <= n; i++ {
		name, near, far := fmt.Sprintf("%sn%d", id, i), fmt.Sprintf("%sv%d", id, i), fmt.Sprintf("%sw%d", id, i)
		ip(t, "netns", "add", name)
		t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", name).Run() })
		m.names, m.devices = append(m.names, name), append(m.devices, near)
		t.Cleanup(func() { m.end(t, i-1, func(string) bool { return true }) }) // also what a failed test has left
		ip(t, "link", "add", near, "type", "veth", "peer", "name", far, "netns", name)
		// A namespace lives on while a process is in it.
		t.Cleanup(func() { _ = exec.Command("ip", "link", "del", near).Run() })
		ip(t, "link", "set", near, "mtu", mtu, "master", bridge, "up")
		ip(t, "-n", name, "link", "set", "lo", "up")
		ip(t, "-n", name, "addr", "add", four+strconv.Itoa(i)+"/24", "dev", far)
		ip(t, "-n", name, "addr", "add", six+strconv.Itoa(i)+"/64", "dev", far, "nodad")
		ip(t, "-n", name, "link", "set", far, "mtu", mtu, "up")
		m.Six = append(m.Six, six+strconv.Itoa(i))
		m.Servers = append(m.Servers, Start(t, Options{
			Address: four + strconv.Itoa(i), Port: 22, Namespace: name, Config: "ListenAddress " + m.Six[i-1],
		}))
	}
	return m
}

// Cut takes the link of a machine away.
func (m *Machines) Cut(t testing.TB, i int) { ip(t, "link", "set", m.devices[i], "down") }

// Mend gives it back.
func (m *Machines) Mend(t testing.TB, i int) { ip(t, "link", "set", m.devices[i], "up") }

// Enter is the beginning of a command line that is to run on a machine.
func (m *Machines) Enter(i int) []string { return enter(m.names[i]) }

func enter(namespace string) []string {
	// Not ip netns exec, which gives it mounts of its own, too.
	return []string{"nsenter", "--net=/var/run/netns/" + namespace}
}

// Left lists the processes on a machine, by their command lines, but for sshd and
// the shell that watches over it.
func (m *Machines) Left(i int) []string {
	var list []string
	for _, p := range m.processes(i) {
		if !isSSHD(p.name) && !p.ended && p.pid != m.Servers[i].cmd.Process.Pid {
			list = append(list, fmt.Sprintf("%d: %s", p.pid, p.line))
		}
	}
	return list
}

// StopServer ends the sshd of a machine and every connection to it, but not what
// was started over them.
func (m *Machines) StopServer(t testing.TB, i int) {
	t.Helper()
	m.end(t, i, isSSHD)
	m.Servers[i].Stop()
}

// StartServer starts it again.
func (m *Machines) StartServer(t testing.TB, i int) {
	t.Helper()
	m.Servers[i].run(t, m.Servers[i].cmd.Args)
}

func isSSHD(name string) bool { return strings.HasPrefix(name, "sshd") }

// end kills processes on a machine, by their names, until there are none.
func (m *Machines) end(t testing.TB, i int, which func(name string) bool) {
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		there := slices.DeleteFunc(m.processes(i), func(p process) bool { return !which(p.name) || p.ended })
		if len(there) == 0 {
			return
		}
		for _, p := range there {
			_ = syscall.Kill(p.pid, syscall.SIGKILL) // it may have ended
		}
	}
	t.Errorf("processes in %s can't be killed", m.names[i])
}

// process is one that runs on a machine.
type process struct {
	pid   int
	name  string
	line  string
	ended bool // but not waited for
}

func (m *Machines) processes(i int) []process {
	out, _ := exec.Command("ip", "netns", "pids", m.names[i]).Output() // processes that end meanwhile make it fail
	var list []process
	for f := range strings.FieldsSeq(string(out)) {
		stat, err := os.ReadFile("/proc/" + f + "/stat")
		open, end := strings.Index(string(stat), "("), strings.LastIndex(string(stat), ") ")
		pid, _ := strconv.Atoi(f)
		if err != nil || open < 0 || end < open || pid <= 0 {
			continue // it has ended
		}
		line, _ := os.ReadFile("/proc/" + f + "/cmdline")
		list = append(list, process{
			pid: pid, name: string(stat[open+1 : end]), line: strings.ReplaceAll(string(line), "\x00", " "),
			ended: strings.HasPrefix(string(stat[end+2:]), "Z"),
		})
	}
	return list
}

// removeLeft removes the machines of test processes that were killed.
func removeLeft(t testing.TB) {
	out, _ := exec.Command("ip", "netns", "list").Output() // without, there are none
	for line := range strings.Lines(string(out)) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		id, number, _ := strings.Cut(name, "n")
		pid, err := strconv.Atoi(strings.TrimPrefix(id, "kv"))
		if err != nil || !strings.HasPrefix(id, "kv") || syscall.Kill(pid, 0) != syscall.ESRCH {
			continue
		}
		left := &Machines{names: []string{name}}
		left.end(t, 0, func(string) bool { return true })
		for _, args := range [][]string{{"netns", "del", name}, {"link", "del", id + "v" + number}, {"link", "del", id + "b"}} {
			_ = exec.Command("ip", args...).Run() // some are gone already
		}
	}
}

func ip(t testing.TB, args ...string) {
	t.Helper()
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		t.Fatalf("ip %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func lacking(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(what)
	}
	t.Skip(what)
}

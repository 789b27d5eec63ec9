package sample_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/engine/sample"
	"github.com/kvscen/kvscen/internal/host"
	"github.com/kvscen/kvscen/internal/host/sshlink"
	"github.com/kvscen/kvscen/internal/host/sshtest"
	"github.com/kvscen/kvscen/internal/procfs"
	"github.com/kvscen/kvscen/internal/result"
)

// Known work on another machine.
const (
	knownCPU   = 10 * time.Second
	knownBytes = 100 << 20 // written, and sent
)

// known does a part of it: "burn", "write FOLDER" or "send ADDRESS".
func known(order string) error {
	what, where, _ := strings.Cut(order, " ")
	switch what {
	case "burn":
		burn(knownCPU)
		return nil
	case "write":
		return write(where, knownBytes)
	case "send":
		c, err := net.Dial("tcp", where)
		if err != nil {
			return err
		}
		_, err = c.Write(make([]byte, knownBytes))
		return errors.Join(err, c.Close())
	}
	return fmt.Errorf("%q is no work", order)
}

// TestKnownWorkOnAHost has a process on a machine that is sampled over SSH burn,
// write and send as much as it then tells.
func TestKnownWorkOnAHost(t *testing.T) {
	machines := sshtest.NewMachines(t, 1)
	w := startWorker(t, "known", machines.Enter(0)...)
	dir := t.TempDir()
	far := sampledOverSSH(t, machines.Servers[0], dir)
	s := start(t, sample.Config{
		Members: []sample.Member{{Name: "m1", Host: far.Name, PIDs: w.pids, DataDir: dir}}, Hosts: []sample.Host{far},
	})
	receiver, received := receive(t, machines.Here)
	a := s.Edge()
	told := w.do("burn")
	b := s.Edge()
	w.do("write " + dir)
	c := s.Edge()
	sending := w.do("send " + receiver)
	if n := <-received; n != knownBytes {
		t.Fatalf("%d bytes arrived", n)
	}
	d := s.Edge()
	within(t, "CPU", s.Between(a, b).Members[0].CPUSeconds, told.CPU.Seconds())
	within(t, "bytes written", s.Between(b, c).Members[0].WriteBytes, knownBytes)
	// On a busy machine TCP sends some of it again; the answers to the sampler are
	// sent there, too.
	if sending.Sent < knownBytes {
		t.Fatalf("packets of %d bytes left the machine", sending.Sent)
	}
	within(t, "bytes sent", s.Between(c, d).Hosts[1].TX, float64(sending.Sent))
	if far.NoDisk != nil {
		t.Skipf("no device under %s: %v", dir, far.NoDisk)
	}
	// The device serves others as well: only too little is wrong.
	if sectors := number(t, "sectors_written", s.Between(b, c).Hosts[1].SectorsWritten); sectors*512 < knownBytes {
		t.Errorf("the device wrote %.0f sectors for %d bytes", sectors, knownBytes)
	}
}

// receive takes one connection on an address, and tells how many bytes came.
func receive(t *testing.T, address string) (endpoint string, received <-chan int64) {
	t.Helper()
	l, err := net.Listen("tcp", net.JoinHostPort(address, "0"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	count := make(chan int64, 1)
	go func() {
		c, err := l.Accept()
		if err != nil {
			count <- -1
			return
		}
		defer c.Close()
		n, _ := io.Copy(io.Discard, c) // less is told by the number
		count <- n
	}()
	return l.Addr().String(), count
}

// within holds a figure against what the process has told, give or take 2 %.
func within(t *testing.T, what string, n result.Number, want float64) {
	t.Helper()
	got := number(t, what, n)
	t.Logf("%s: %.6g, the process says %.6g (%+.2f %%)", what, got, want, 100*(got/want-1))
	if got < 0.98*want || got > 1.02*want {
		t.Errorf("%s = %.6g, the process says %.6g", what, got, want)
	}
}

// sampledOverSSH makes a machine readable, as a run does, but is patient.
func sampledOverSSH(t *testing.T, server *sshtest.Server, dir string) sample.Host {
	t.Helper()
	t.Setenv("HOME", sshtest.Home(t, "", server))
	t.Setenv("SSH_AUTH_SOCK", "")
	settings, err := sshlink.UserSettings()
	if err != nil {
		t.Fatal(err)
	}
	hosts := host.NewHosts(host.Config{Self: os.Args[0], Run: "run", SSH: settings})
	t.Cleanup(hosts.Close)
	spec := host.Spec{Dir: t.TempDir()}
	spec.Addr, spec.Port, spec.User, spec.Key = server.Address, server.Port, server.User, server.Key
	r, err := hosts.Get(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	session, err := r.Session(t.Context(), procfs.MirrorScript)
	if err != nil {
		t.Fatal(err)
	}
	mirror, err := procfs.NewMirror(session.Stdin, session.Stdout, 30*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		if err := mirror.Close(); err != nil {
			t.Error(err)
		}
	})
	h := sample.Host{Name: r.Name(), Source: mirror}
	if h.Interface, _, err = procfs.FindInterface(mirror, r.IP()); err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	device, err := procfs.FindDeviceElsewhere(mirror, real, r.DeviceOf)
	if err != nil {
		h.NoDisk = err
	} else {
		h.Devices = []string{device.Name}
	}
	return h
}

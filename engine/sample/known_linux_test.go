package sample_test

import (
	"math"
	"net"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/kvscen/kvscen/engine/sample"
	"github.com/kvscen/kvscen/internal/procfs"
	"github.com/kvscen/kvscen/internal/result"
)

func TestCPUOfAWorkerBehindAShell(t *testing.T) {
	w := startWorker(t, "burn", "sh", "-c", `"$@"; exit 0`, "sh")
	s := start(t, sample.Config{Members: []sample.Member{{Name: "m1", PIDs: w.pids}}})
	a := s.Edge()
	told := w.do("")
	b := s.Edge()
	u := s.Between(a, b).Members[0]

	got, want := number(t, "cpu_seconds", u.CPUSeconds), told.CPU.Seconds()
	if math.Abs(got-want) > max(0.03, 0.05*want) {
		t.Errorf("CPU = %.3f s, the worker says %.3f s", got, want)
	}
	// It computes in one thread; the mean is a lower bound of the largest.
	mean := 100 * got / b.At.Sub(a.At).Seconds()
	if most := number(t, "max_cpu", u.MaxCPU); most < 0.97*mean || most > 115 {
		t.Errorf("largest CPU = %.1f %%, with a mean of %.1f %% in one thread", most, mean)
	}
	if rss := number(t, "max_rss", u.MaxRSS); rss < 1<<20 || rss > 200<<20 {
		t.Errorf("RSS = %.0f bytes", rss)
	}
	if n := number(t, "threads", u.Threads); n < 3 {
		t.Errorf("%v threads of a shell and a Go program", n)
	}
	number(t, "voluntary_switches", u.Voluntary)
	number(t, "involuntary_switches", u.Involuntary)
}

func TestBytesWrittenToTheDevice(t *testing.T) {
	dir := t.TempDir()
	src, err := procfs.Local()
	if err != nil {
		t.Skip(err)
	}
	if _, err := procfs.FindDevice(src, dir); err != nil {
		t.Skipf("no device under %s: %v", dir, err)
	}
	w := startWorker(t, "write")
	member := sample.Member{Name: "m1", PIDs: w.pids, DataDir: dir}
	twin := sample.Member{Name: "m2", PIDs: w.pids, DataDir: dir}
	s := start(t, sample.Config{Members: []sample.Member{member}})
	both := start(t, sample.Config{Members: []sample.Member{member, twin}})
	a, a2 := s.Edge(), both.Edge()
	w.do(dir)
	b, b2 := s.Edge(), both.Edge()
	u := s.Between(a, b)

	if n := number(t, "write_bytes", u.Members[0].WriteBytes); n < writeBytes || n > 1.1*writeBytes {
		t.Errorf("the member wrote %.0f bytes of %d", n, writeBytes)
	}
	// The device serves others as well: only too little is wrong.
	sectors := number(t, "sectors_written", u.Hosts[0].SectorsWritten)
	if sectors*512 < writeBytes || number(t, "writes", u.Hosts[0].WritesCompleted) < 1 {
		t.Errorf("the device wrote %.0f sectors for %d bytes", sectors, writeBytes)
	}
	if busy := number(t, "busy", u.Hosts[0].BusySeconds); busy <= 0 {
		t.Errorf("the device was busy for %v s", busy)
	}
	// Two members share the device, which is counted once.
	twice := number(t, "sectors_written", both.Between(a2, b2).Hosts[0].SectorsWritten)
	if twice > 1.5*sectors {
		t.Errorf("two members on one device: %.0f sectors, one member: %.0f", twice, sectors)
	}
}

// TestBytesOverAnInterface runs itself in a network of its own, where nobody
// else sends.
func TestBytesOverAnInterface(t *testing.T) {
	const variable = "KVSCEN_TEST_NETWORK"
	if os.Getenv(variable) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestBytesOverAnInterface$", "-test.v")
		cmd.Env = append(os.Environ(), variable+"=own")
		cmd.SysProcAttr = &syscall.SysProcAttr{
			Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNET,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		}
		out, err := cmd.CombinedOutput()
		if len(out) == 0 && err != nil {
			t.Skipf("no network of its own to be had: %v", err)
		}
		if err != nil {
			t.Errorf("in a network of its own: %v\n%s", err, out)
		}
		return
	}
	raiseLoopback(t)
	s := start(t, sample.Config{Interface: "lo", Members: []sample.Member{{Name: "m1"}}})
	shared := start(t, sample.Config{Interface: "lo", SharedLoopback: true, Members: []sample.Member{{Name: "m1"}}})
	a, a2 := s.Edge(), shared.Edge()
	if err := send(); err != nil {
		t.Fatal(err)
	}
	b, b2 := s.Edge(), shared.Edge()
	h := s.Between(a, b).Hosts[0]
	for name, n := range map[string]result.Number{"rx": h.RX, "tx": h.TX} {
		if v := number(t, name, n); v < sendBytes || v > 1.1*sendBytes {
			t.Errorf("%s = %.0f bytes of %d", name, v, sendBytes)
		}
	}
	if h := shared.Between(a2, b2).Hosts[0]; h.RX != result.NA("shared loopback") || h.TX != result.NA("shared loopback") {
		t.Errorf("shared loopback: rx %+v, tx %+v", h.RX, h.TX)
	}
}

func raiseLoopback(t *testing.T) {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	req, err := unix.NewIfreq("lo")
	if err != nil {
		t.Fatal(err)
	}
	req.SetUint16(unix.IFF_UP)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, req); err != nil {
		t.Fatalf("raising lo: %v", err)
	}
}

func TestHealthOfKvscenItself(t *testing.T) {
	s := start(t, sample.Config{Interval: 20 * time.Millisecond})
	a := s.Edge()
	const conns = 40
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	open := make([]net.Conn, conns)
	for i := range open {
		if open[i], err = net.Dial("tcp", l.Addr().String()); err != nil {
			t.Fatal(err)
		}
	}
	before := ownCPU()
	collect(4)
	burn(100 * time.Millisecond)
	used := (ownCPU() - before).Seconds()
	for _, c := range open {
		c.Close()
	}
	b := s.Edge()
	h := s.Health(a, b)
	if got := number(t, "cpu_seconds", h.CPUSeconds); got < used || got > used+2 {
		t.Errorf("CPU = %.3f s, used at least %.3f s", got, used)
	}
	if h.GCPauses < 8 || h.GCPauseMax <= 0 || h.GCPauseMax > 10*time.Second {
		t.Errorf("4 collections: %d pauses, the longest %v", h.GCPauses, h.GCPauseMax)
	}
	if h.SchedLagP99 <= 0 || h.SchedLagP99 > 10*time.Second {
		t.Errorf("scheduler lag p99 = %v", h.SchedLagP99)
	}
	// They are closed again at the edge: a sample between saw them.
	if got := number(t, "open_files", h.OpenFiles); got < conns {
		t.Errorf("open files = %v, with %d connections", got, conns)
	}
	u := s.Between(a, b).Client
	if got := number(t, "client cpu", u.CPUSeconds); got != h.CPUSeconds.V {
		t.Errorf("CPU in usage = %v, in health %v", got, h.CPUSeconds.V)
	}
	number(t, "client threads", u.Threads)
	number(t, "client rss", u.MaxRSS)
}

package sample_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// jobVariable makes the test binary a worker: a process that does known work
// and says what it took by its own account.
const jobVariable = "KVSCEN_TEST_JOB"

func TestMain(m *testing.M) {
	job := os.Getenv(jobVariable)
	if job == "" {
		os.Exit(m.Run())
	}
	if err := work(job); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Sizes of the jobs.
const (
	burnTime   = 1500 * time.Millisecond // of CPU
	writeBytes = 50 << 20
	sendBytes  = 20 << 20
)

// account is what a worker used, by its own getrusage, and what was sent meanwhile
// from where it is, in bytes, as the kernel counts packets before any device does.
type account struct {
	CPU  time.Duration
	Sent int64
}

// work does a job for each line on its input.
func work(job string) error {
	if job == "threads" {
		for range 15 {
			go func() {
				runtime.LockOSThread()
				select {}
			}()
		}
	}
	in := bufio.NewScanner(os.Stdin)
	fmt.Println("ready")
	for in.Scan() {
		before, sent := ownCPU(), packets()
		var err error
		switch job {
		case "burn":
			burn(burnTime)
		case "write":
			err = write(in.Text(), writeBytes)
		case "known":
			err = known(in.Text())
		}
		if err != nil {
			return err
		}
		if err := json.NewEncoder(os.Stdout).Encode(account{CPU: ownCPU() - before, Sent: packets() - sent}); err != nil {
			return err
		}
	}
	return in.Err()
}

func ownCPU() time.Duration {
	var r unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// packets is how many bytes have been sent in IP packets from this network
// namespace, headers and what was sent again included; 0: not known.
func packets() int64 {
	text, err := os.ReadFile("/proc/self/net/netstat")
	if err != nil {
		return 0
	}
	var names []string
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] != "IpExt:" {
			continue
		}
		if i := slices.Index(names, "OutOctets"); i > 0 && i < len(fields) {
			n, _ := strconv.ParseInt(fields[i], 10, 64)
			return n
		}
		names = fields
	}
	return 0
}

// burn uses that much CPU time.
func burn(cpu time.Duration) {
	for start := ownCPU(); ownCPU()-start < cpu; {
		for n := 0; n < 100_000; n++ {
			_ = n * n
		}
	}
}

// write writes a file of n bytes in a folder, and waits for the disk.
func write(dir string, n int) error {
	f, err := os.Create(filepath.Join(dir, "data"))
	if err != nil {
		return err
	}
	defer f.Close()
	block := make([]byte, 1<<20)
	for ; n > 0; n -= len(block) {
		if _, err := f.Write(block); err != nil {
			return err
		}
	}
	return f.Sync()
}

// send carries sendBytes over one TCP connection on the loopback interface.
func send() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer l.Close()
	received := make(chan error, 1)
	go func() {
		c, err := l.Accept()
		if err == nil {
			_, err = io.Copy(io.Discard, c)
			c.Close()
		}
		received <- err
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return err
	}
	if _, err := c.Write(make([]byte, sendBytes)); err != nil {
		return err
	}
	if err := c.Close(); err != nil {
		return err
	}
	return <-received
}

// worker is a process with a job, perhaps behind others.
type worker struct {
	t    testing.TB
	pid  int // of the process started, the root
	in   io.WriteCloser
	out  *bufio.Scanner
	wait func() error
}

// startWorker starts argv followed by this test binary, ready for its job.
func startWorker(t testing.TB, job string, argv ...string) *worker {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	argv = append(argv, self)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), jobVariable+"="+job)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w := &worker{t: t, pid: cmd.Process.Pid, in: in, out: bufio.NewScanner(out), wait: cmd.Wait}
	t.Cleanup(w.end) // the end of its input ends it
	if !w.out.Scan() || w.out.Text() != "ready" {
		t.Fatalf("the worker said %q, %v", w.out.Text(), w.out.Err())
	}
	return w
}

// do has the worker do its job once.
func (w *worker) do(arg string) account {
	w.t.Helper()
	if _, err := fmt.Fprintln(w.in, arg); err != nil {
		w.t.Fatal(err)
	}
	var a account
	if !w.out.Scan() {
		w.t.Fatalf("the worker is gone: %v", w.out.Err())
	}
	if err := json.Unmarshal(w.out.Bytes(), &a); err != nil {
		w.t.Fatal(err)
	}
	return a
}

func (w *worker) end() {
	w.in.Close()
	if err := w.wait(); err != nil {
		w.t.Errorf("the worker: %v", err)
	}
}

func (w *worker) pids() []int { return []int{w.pid} }

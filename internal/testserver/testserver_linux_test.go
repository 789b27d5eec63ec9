package testserver

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

const asChild = "KVSCEN_TEST_SERVERS" // set: a folder; this test binary is to start servers in it

// TestChild is no test: TestServersEndWithTheTest runs it in a process of its own,
// which starts servers and dies.
func TestChild(t *testing.T) {
	dir := os.Getenv(asChild)
	if dir == "" {
		t.Skip("only for another test, in a process of its own")
	}
	first := Start(t, filepath.Join(dir, "log"), "sleep", "600")
	second := Start(t, filepath.Join(dir, "log"), "sh", "-c", `sleep 600 & echo "other $!"; wait`)
	second.Await(t, func() error { _, err := other(second.Log()); return err })
	pid, _ := other(second.Log())
	fmt.Println("servers", first.PID(), second.PID(), pid)
	time.Sleep(10 * time.Minute)
}

// other is the process that a server says it has started.
func other(log string) (int, error) {
	_, text, found := strings.Cut(log, "other ")
	text, _, whole := strings.Cut(text, "\n")
	if !found || !whole {
		return 0, errors.New("it has not told the number of its child")
	}
	return strconv.Atoi(text)
}

func TestServersEndWithTheTest(t *testing.T) {
	for name, end := range map[string]syscall.Signal{"killed": syscall.SIGKILL, "as by go test's time limit": syscall.SIGQUIT} {
		t.Run(name, func(t *testing.T) {
			c := exec.Command(os.Args[0], "-test.run=^TestChild$", "-test.timeout=10m")
			c.Env = append(os.Environ(), asChild+"="+t.TempDir())
			out, err := c.StdoutPipe()
			if err == nil {
				err = c.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			var pids [3]int
			line, err := bufio.NewReader(out).ReadString('\n')
			if err == nil {
				_, err = fmt.Sscanf(line, "servers %d %d %d", &pids[0], &pids[1], &pids[2])
			}
			if err != nil {
				_ = c.Process.Kill()
				t.Fatalf("the child says %q: %v", line, err)
			}
			for _, pid := range pids {
				if !alive(pid) {
					t.Errorf("process %d is not there", pid)
				}
			}
			_ = c.Process.Signal(end)
			_ = c.Wait() // it dies of the signal
			for until := time.Now().Add(time.Minute); alive(pids[0]) || alive(pids[1]) || alive(pids[2]); time.Sleep(10 * time.Millisecond) {
				if time.Now().After(until) {
					t.Fatal("a server has outlived its test")
				}
			}
		})
	}
}

// alive reports whether a process is there, and is not merely still to be waited for.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}

// TestKill kills a server twice, and one that has ended by itself.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	s := Start(t, filepath.Join(dir, "log"), "sleep", "600")
	s.Kill()
	s.Kill()
	if alive(s.PID()) {
		t.Error("a server that was killed is there")
	}
	s.Restart(t)
	if !alive(s.PID()) {
		t.Error("a server that was started again is not there")
	}
	s.Kill()
	s = Start(t, filepath.Join(dir, "log"), "sh", "-c", "echo last words")
	<-s.ended
	s.Kill()
	if s.Log() != "last words\n" {
		t.Errorf("log %q", s.Log())
	}
}

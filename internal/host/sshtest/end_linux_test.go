package sshtest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

const asChild = "KVSCEN_TEST_SSHD" // set: this test binary is to start a server and to die

// TestChild is no test: TestServerEndsWithTheTest runs it in a process of its own.
func TestChild(t *testing.T) {
	if os.Getenv(asChild) == "" {
		t.Skip("only for another test, in a process of its own")
	}
	s := Start(t, Options{})
	session(t, s, "sleep 600")
	fmt.Println(processes(t, s))
	time.Sleep(10 * time.Minute)
}

// session starts a command over a connection, and waits until it runs.
func session(t *testing.T, s *Server, command string) {
	t.Helper()
	text, err := os.ReadFile(s.Key)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.ParsePrivateKey(text)
	if err != nil {
		t.Fatal(err)
	}
	client, err := ssh.Dial("tcp", s.Endpoint(), &ssh.ClientConfig{
		User: s.User, Auth: []ssh.AuthMethod{ssh.PublicKeys(key)}, HostKeyCallback: ssh.FixedHostKey(s.Public),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	in, err := client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	out, err := in.StdoutPipe()
	if err == nil {
		err = in.Start("echo up; exec " + command)
	}
	if err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "up\n" {
		t.Fatalf("the session says %q: %v", line, err)
	}
}

// processes lists those of a server with one session, and of what was started over it.
func processes(t *testing.T, s *Server) []int {
	t.Helper()
	serving := descendants(s.cmd.Process.Pid, func(name string) bool { return strings.HasPrefix(name, "sshd") })
	started := living(s.dir)
	if len(serving) < 2 || len(started) == 0 {
		t.Errorf("processes %v serve, and %v were started; want two at least, and one", serving, started)
	}
	return slices.Concat(serving, started)
}

// gone waits until processes have ended, if only to be waited for by their parent.
func gone(t *testing.T, pids []int) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		i := slices.IndexFunc(pids, func(pid int) bool {
			stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
			return err == nil && !strings.Contains(string(stat), ") Z ")
		})
		if i < 0 {
			return
		}
		if time.Now().After(end) {
			line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pids[i]))
			t.Fatalf("process %d is still there: %q", pids[i], line)
		}
	}
}

func TestStopEndsSessions(t *testing.T) {
	var started []int
	t.Run("server", func(t *testing.T) {
		s := Start(t, Options{})
		session(t, s, "sleep 600")
		all := processes(t, s)
		started = living(s.dir)
		s.Stop()
		gone(t, slices.DeleteFunc(all, func(pid int) bool { return slices.Contains(started, pid) }))
	})
	gone(t, started)
}

func TestServerEndsWithTheTest(t *testing.T) {
	Program(t)
	c := exec.Command(os.Args[0], "-test.run=^TestChild$", "-test.timeout=10m")
	dir := t.TempDir()
	c.Env = append(os.Environ(), asChild+"=1", "TMPDIR="+dir) // its own folders are left behind
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	_ = c.Process.Kill()
	_ = c.Wait() // killed
	var pids []int
	for text := range strings.FieldsSeq(strings.Trim(line, "[]\n")) {
		pid, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("the child says %q", line)
		}
		pids = append(pids, pid)
	}
	if len(pids) < 3 {
		t.Fatalf("the child says %q: %v", line, err)
	}
	gone(t, pids)
}

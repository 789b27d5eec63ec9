// Package testserver runs real servers for tests. A server ends with the test
// that started it, and also with the test's process, however that ends: by a
// panic, by the time limit of go test or by SIGKILL.
//
// The kernel's death signal does not serve for that: it is tied to the thread
// that started the process, and Go ends threads as it likes. Instead a shell
// beside each server reads from a pipe that we hold, and kills the server's
// process group when that pipe ends without a word.
package testserver

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// readyLimit is how long a server may take to be ready. A busy machine takes
// two minutes for three Javas at once.
const readyLimit = 4 * time.Minute

const (
	// gate waits for a line, and becomes the server.
	gate = `read go <&3 && exec "$@" 3<&-`
	// watcher waits for the end of its input, and kills a process group.
	watcher = `read end; kill -s KILL -- "-$1"`
)

// Server is a program in a process of its own, and in a process group with all
// that it starts and that makes no group for itself.
type Server struct {
	log   string
	argv  []string
	cmd   *exec.Cmd
	ended chan struct{} // closed when cmd has ended, and its watcher with it
}

// Start starts a program, whose output is added to a log, until the test ends.
func Start(t testing.TB, log string, argv ...string) *Server {
	t.Helper()
	s := &Server{log: log, argv: argv}
	s.Restart(t)
	t.Cleanup(s.Kill)
	return s
}

// Restart starts the program once more after it was killed. It ends with the test
// that started it first.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	if err := s.start(); err != nil {
		t.Fatalf("start %s: %v", s.argv[0], err)
	}
}

// start lets the program run only when it is watched: until then it is a shell
// that ends with us by itself.
func (s *Server) start() error {
	out, err := os.OpenFile(s.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer out.Close()
	wait, open, err := os.Pipe()
	if err != nil {
		return err
	}
	defer wait.Close()
	defer open.Close()
	cmd := exec.Command("sh", append([]string{"-c", gate, "sh"}, s.argv...)...)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.ExtraFiles = []*os.File{wait} // descriptor 3
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	watch := exec.Command("sh", "-c", watcher, "sh", fmt.Sprint(cmd.Process.Pid))
	watch.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	held, err := watch.StdinPipe()
	if err == nil {
		err = watch.Start()
	}
	if err == nil {
		_, err = open.WriteString("go\n")
	}
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // killed
		return err
	}
	ended := make(chan struct{})
	s.cmd, s.ended = cmd, ended
	go func() {
		defer close(ended)
		_ = cmd.Wait()           // Await tells how it ended
		_ = watch.Process.Kill() // before the number of the group is another's
		_ = watch.Wait()         // killed
		_ = held.Close()         // held until here
	}()
	return nil
}

// PID is the server's process, and the number of its group.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// Kill kills the server's process group, and returns when the server has ended.
func (s *Server) Kill() {
	select {
	case <-s.ended:
		return
	default:
	}
	_ = syscall.Kill(-s.PID(), syscall.SIGKILL) // it may just have ended
	<-s.ended
}

// Await waits until ready returns no error. It fails the test when the server
// ends before, or isn't ready after minutes.
func (s *Server) Await(t testing.TB, ready func() error) {
	t.Helper()
	for end := time.Now().Add(readyLimit); ; time.Sleep(50 * time.Millisecond) {
		err := ready()
		if err == nil {
			return
		}
		select {
		case <-s.ended:
			t.Fatalf("the server ended (%v) before it was ready: %v; its log:\n%s", s.cmd.ProcessState, err, s.Log())
		default:
		}
		if time.Now().After(end) {
			t.Fatalf("the server is not ready after %v: %v; its log:\n%s", readyLimit, err, s.Log())
		}
	}
}

// Log is what the server has written so far.
func (s *Server) Log() string {
	text, err := os.ReadFile(s.log)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// Lacking skips a test for something that is not installed here. With CI set all
// is to be there, and the test fails.
func Lacking(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(what)
	}
	t.Skip(what)
}

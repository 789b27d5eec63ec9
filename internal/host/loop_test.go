package host

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// answering is a loop as it runs on a machine, with a mark in its environment.
type answering struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	mark  string
	ended chan error
}

func startLoop(t *testing.T, nap time.Duration, naps int) *answering {
	t.Helper()
	return startScript(t, "while read -r x; do /bin/echo got $x; done", nap, naps)
}

func startScript(t *testing.T, script string, nap time.Duration, naps int) *answering {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the loop watches itself by /proc")
	}
	l := &answering{mark: "LOOP=" + t.TempDir(), ended: make(chan error, 1)}
	l.cmd = exec.Command("/bin/sh", "-c", dogged(script, nap, naps))
	l.cmd.Env = append(os.Environ(), l.mark)
	out, err := l.cmd.StdoutPipe()
	if err == nil {
		l.in, err = l.cmd.StdinPipe()
	}
	if err == nil {
		err = l.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	l.out = bufio.NewReader(out)
	t.Cleanup(func() { _ = l.cmd.Process.Kill() })
	return l
}

func (l *answering) ask(t *testing.T, text string) {
	t.Helper()
	if _, err := fmt.Fprintln(l.in, text); err != nil {
		t.Fatal(err)
	}
	if line, err := l.out.ReadString('\n'); err != nil || line != "got "+text+"\n" {
		t.Fatalf("answers %q, %v", line, err)
	}
}

// gone waits until no process has the mark any more.
func (l *answering) gone(t *testing.T) {
	t.Helper()
	go func() { l.ended <- l.cmd.Wait() }()
	select {
	case <-l.ended:
	case <-time.After(time.Minute):
		t.Fatal("the loop does not end")
	}
	var left []string
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		left = nil
		files, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, f := range files {
			if text, _ := os.ReadFile(f); strings.Contains(string(text), l.mark) {
				left = append(left, f)
			}
		}
		if len(left) == 0 {
			return
		}
	}
	t.Errorf("left behind: %v", left)
}

// TestALoopEndsWhenNothingComes holds the loop's input open, as sshd does while a
// machine is cut off.
func TestALoopEndsWhenNothingComes(t *testing.T) {
	l := startLoop(t, 300*time.Millisecond, 2)
	l.ask(t, "one")
	l.gone(t)
}

// TestALoopThatIsAskedGoesOn asks for longer than it may be idle.
func TestALoopThatIsAskedGoesOn(t *testing.T) {
	l := startLoop(t, time.Second, 3)
	for i := range 50 {
		l.ask(t, fmt.Sprint(i))
		time.Sleep(100 * time.Millisecond)
	}
	l.in.Close()
	l.gone(t)
}

// TestABeatIsSeenByTheWatchdog keeps a loop alive by what locks of ports send.
func TestABeatIsSeenByTheWatchdog(t *testing.T) {
	l := startScript(t, "while read -r x; do x=$(:); done", time.Second, 3)
	for range 60 {
		time.Sleep(100 * time.Millisecond)
		if _, err := l.in.Write([]byte("beat\n")); err != nil {
			t.Fatalf("the loop has ended: %v", err)
		}
	}
	l.in.Close()
	l.gone(t)
}

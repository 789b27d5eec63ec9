package procfs

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// shell runs the other end on this machine.
func shell(t *testing.T) *Mirror {
	t.Helper()
	if _, err := Local(); err != nil {
		t.Skip(err)
	}
	cmd := exec.Command("/bin/sh", "-c", MirrorScript)
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
	m, err := NewMirror(in, out, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait()
	})
	return m
}

// TestMirror reads a process over the shell and by the files themselves.
func TestMirror(t *testing.T) {
	m := shell(t)
	child := exec.Command("sleep", "60")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	roots := func() []int { return []int{os.Getpid()} }
	r, err := NewReader(m, Config{Groups: []Group{{Roots: roots}, {Roots: func() []int { return []int{child.Process.Pid} }}}, Interface: "lo"})
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(500 * time.Millisecond); time.Now().Before(end); { // of CPU time, or less where others work
	}
	far, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	src, _ := Local()
	near, err := NewReader(src, Config{Groups: []Group{{Roots: roots}}, Interface: "lo"})
	if err != nil {
		t.Fatal(err)
	}
	here, err := near.Read()
	if err != nil {
		t.Fatal(err)
	}
	a, b := far.Groups[0], here.Groups[0]
	if a.Err != nil || a.IOErr != nil || a.CPU > b.CPU || a.CPU <= 0 || a.RSS < b.RSS/2 || a.Threads < 2 || a.Voluntary == 0 {
		t.Errorf("over the shell %+v, here %+v", a, b)
	}
	if far.Net.Err != nil || far.Net.RX > here.Net.RX || far.Machine.Available <= 0 || far.Uptime > here.Uptime {
		t.Errorf("over the shell %+v, here %+v", far, here)
	}
	if far.Groups[1].Err != nil {
		t.Errorf("the child: %v", far.Groups[1].Err)
	}
	_ = child.Process.Kill()
	_ = child.Wait()
	if far, err = r.Read(); err != nil || !errors.Is(far.Groups[1].Err, errNotRunning) {
		t.Errorf("an ended child: %+v, %v", far.Groups[1], err)
	}
	if _, err := os.Stat(filepath.Join(m.Root(), fmt.Sprint(child.Process.Pid))); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("its copy is still there: %v", err)
	}
}

// TestMirrorAnswers gives answers that no host here would give.
func TestMirrorAnswers(t *testing.T) {
	questions, asked := io.Pipe()
	answers, answer := io.Pipe()
	m, err := NewMirror(asked, answers, 300*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(questions)
	ask := func(text string) error {
		done := make(chan error, 1)
		go func() { done <- m.Fetch([]string{"7/stat", "7/io"}) }()
		lines.Scan()
		fmt.Fprint(answer, text)
		return <-done
	}
	if err := ask("7/stat:one\n7/stat:two\n-7/io\n=1\n"); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(m.Root(), "7/stat")); string(text) != "one\ntwo\n" || !m.Denied("7/io") {
		t.Errorf("got %q, %v", text, err)
	}
	f := files{root: m.Root(), denied: m.Denied}
	if _, err := f.read("7/io"); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a file that may not be read: %v", err)
	}
	if err := ask(""); !errors.Is(err, ErrLate) {
		t.Errorf("no answer: %v", err)
	}
	// The late one is not taken for the next.
	if err := ask("7/stat:old\n=2\n7/stat:new\n=3\n"); err != nil || m.texts["7/stat"] != "new\n" {
		t.Errorf("got %q, %v", m.texts["7/stat"], err)
	}
	if err := ask("../../etc/passwd:x\n=4\n"); err == nil {
		t.Error("a file outside of the folder was taken")
	}
	answer.Close()
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add("7/stat:one\n=1\n")
	f.Add("-7/io\n/x:y\n=\n")
	f.Fuzz(func(t *testing.T, text string) {
		lines := bufio.NewScanner(strings.NewReader(text))
		for range 100 {
			a, err := readAnswer(lines)
			if err != nil {
				return
			}
			for name := range a.texts {
				if !filepath.IsLocal(name) {
					t.Errorf("%q is outside of the folder", name)
				}
			}
		}
	})
}

func TestInterfaces(t *testing.T) {
	routes := `Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
eth0	00000000	010200C0	0003	0	0	0	00000000	0	0	0
eth0	000200C0	00000000	0001	0	0	0	00FFFFFF	0	0	0
eth1	00004D0A	00000000	0001	0	0	0	00FFFFFF	0	0	0
`
	for addr, want := range map[string]string{"10.77.0.2": "eth1", "192.0.2.2": "eth0", "8.8.8.8": "eth0"} {
		if got := routeTo(routes, netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s: got %q, want %q", addr, got, want)
		}
	}
	six := "fd000000000000000000000000000002 02 40 00 80     eth0\n"
	if got := holderOf(six, netip.MustParseAddr("fd00::2")); got != "eth0" {
		t.Errorf("got %q", got)
	}
}

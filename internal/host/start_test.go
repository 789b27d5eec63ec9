package host_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/host"
)

func start(t *testing.T, c host.Command) host.Process {
	t.Helper()
	c.Log = filepath.Join(t.TempDir(), "log")
	p, err := host.Local{Self: os.Args[0]}.Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Stop(context.Background()) })
	awaitLine(t, c.Log, "up")
	return p
}

func awaitLine(t *testing.T, path, line string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		text, _ := os.ReadFile(path)
		if strings.Contains(string(text), line) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("no line %q in the log; it has %q", line, text)
		}
	}
}

func program(kind string) []string { return []string{os.Args[0], "program", kind, "start-test"} }

func TestStopInOrder(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "log")
	p, err := host.Local{Self: os.Args[0]}.Start(t.Context(), host.Command{Argv: program("polite"), Log: log})
	if err != nil {
		t.Fatal(err)
	}
	awaitLine(t, log, "up")
	if err := p.Err(); err != nil {
		t.Errorf("Err of a running program: %v", err)
	}
	for range 2 {
		if err := p.Stop(t.Context()); err != nil {
			t.Errorf("Stop: %v", err)
		}
	}
	if err := p.Err(); err != nil {
		t.Errorf("Err after exit 0: %v", err)
	}
	awaitLine(t, log, "bye")
	if err := syscall.Kill(p.PID(), 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the program is still there: %v", err)
	}
}

func TestStopAfterGrace(t *testing.T) {
	t.Parallel()
	p := start(t, host.Command{Argv: program("stubborn"), Grace: 100 * time.Millisecond})
	if err := p.Stop(t.Context()); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("Stop of a program that ignores TERM: %v", err)
	}
}

func TestStopAtOnce(t *testing.T) {
	t.Parallel()
	p := start(t, host.Command{Argv: program("stubborn"), Grace: time.Minute})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := p.Stop(ctx); err != nil {
		t.Errorf("Stop: %v", err)
	}
	if exit, ok := errors.AsType[*host.ExitError](p.Err()); !ok || exit.Signal != "SIGKILL" {
		t.Errorf("Err is %v, want SIGKILL", p.Err())
	}
}

func TestEndsByItself(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "log")
	local := host.Local{Self: os.Args[0]}
	p, err := local.Start(t.Context(), host.Command{Argv: program("exit"), Log: log})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.Done():
	case <-time.After(time.Minute):
		t.Fatal("Done is not closed")
	}
	if exit, ok := errors.AsType[*host.ExitError](p.Err()); !ok || exit.Code != 7 {
		t.Errorf("Err is %v, want status 7", p.Err())
	}
	if err := p.Stop(t.Context()); err != nil {
		t.Errorf("Stop: %v", err)
	}
	if lines, err := local.Tail(log, 3); err != nil || len(lines) != 1 || lines[0] != "no luck" {
		t.Errorf("log has %q, %v", lines, err)
	}
}

func TestStartErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tests := []struct {
		name string
		self string
		cmd  host.Command
		want string
	}{
		{"no program", os.Args[0], host.Command{Log: dir + "/a"}, "no command line"},
		{"missing program", os.Args[0], host.Command{Argv: []string{"/no/such/program"}, Log: dir + "/b"}, "/no/such/program"},
		{"bad signal", os.Args[0], host.Command{Argv: program("exit"), Signal: "LOUD", Log: dir + "/c"}, `unknown signal "LOUD"`},
		{"not a guard", "/bin/true", host.Command{Argv: program("exit"), Log: dir + "/g"}, "guard ended before"},
		{"missing guard", "/no/such/guard", host.Command{Argv: program("exit"), Log: dir + "/d"}, "/no/such/guard"},
		{"no log", os.Args[0], host.Command{Argv: program("exit"), Log: dir + "/no/e"}, "open its log"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := host.Local{Self: test.self}.Start(t.Context(), test.cmd)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
}

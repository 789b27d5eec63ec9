package main

import (
	"bytes"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// patience bounds every wait of the scripts. It is not a claim about speed.
const patience = time.Minute

// exits N COMMAND... runs a command, which must end with exit status N.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	want := argNumber(ts, neg, args, "exits STATUS COMMAND...")
	err := ts.Exec(args[1], args[2:]...)
	if got := exitStatus(ts, err); got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// folders N GLOB counts the folders that match.
func folders(ts *testscript.TestScript, neg bool, args []string) {
	want := argNumber(ts, neg, args, "folders N GLOB")
	found, err := filepath.Glob(ts.MkAbs(args[1]))
	ts.Check(err)
	if len(found) != want {
		ts.Fatalf("%d folders %v, want %d", len(found), found, want)
	}
}

// signals STATUS NAME REGEXP COMMAND... starts a command, sends it the signal
// (INT, TERM, or INT+INT for two) once its stderr matches, and waits for the
// exit status given.
func signals(ts *testscript.TestScript, neg bool, args []string) {
	want := argNumber(ts, neg, args, "signals STATUS NAME REGEXP COMMAND...")
	if len(args) < 4 {
		ts.Fatalf("usage: signals STATUS NAME REGEXP COMMAND...")
	}
	cmd := exec.Command(args[3], args[4:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(os.Environ(), "HOME="+ts.Getenv("HOME"), "TMPDIR="+ts.Getenv("TMPDIR"))
	stderr := &watched{until: regexp.MustCompile(args[2]), seen: make(chan struct{})}
	var stdout bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, stderr
	ts.Check(cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	limit := time.After(patience)
	select {
	case <-stderr.seen:
	case err := <-ended:
		ts.Fatalf("ended (%v) before stderr matched %s:\n%s", err, args[2], stderr)
	case <-limit:
		cmd.Process.Kill()
		ts.Fatalf("stderr never matched %s:\n%s", args[2], stderr)
	}
	for _, s := range signalsOf(ts, args[1]) {
		if err := cmd.Process.Signal(s); !errors.Is(err, os.ErrProcessDone) {
			ts.Check(err)
		}
		time.Sleep(2 * sameSignal) // two signals at once count as one
	}
	select {
	case err := <-ended:
		ts.Logf("[stdout]\n%s[stderr]\n%s", &stdout, stderr)
		if got := exitStatus(ts, err); got != want {
			ts.Fatalf("exit status %d after %s, want %d", got, args[1], want)
		}
	case <-limit:
		cmd.Process.Kill()
		ts.Fatalf("still there after %s:\n%s", args[1], stderr)
	}
	ts.Check(os.WriteFile(ts.MkAbs("signalled.stdout"), stdout.Bytes(), 0o600))
}

// contains WHOLE PART sees that each line of a file, or of stdout, is in another.
func contains(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: contains whole part")
	}
	whole := strings.Split(ts.ReadFile(args[0]), "\n")
	for line := range strings.Lines(ts.ReadFile(args[1])) {
		if !slices.Contains(whole, strings.TrimSuffix(line, "\n")) {
			ts.Fatalf("%s lacks the line %s", args[0], line)
		}
	}
}

// listens VAR sets a variable to the address of a server that accepts every
// connection and never answers.
func listens(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: listens VAR")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	var accepting sync.WaitGroup
	accepting.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			defer c.Close()
		}
	})
	ts.Defer(func() {
		l.Close()
		accepting.Wait()
	})
	ts.Setenv(args[0], l.Addr().String())
}

func signalsOf(ts *testscript.TestScript, name string) []syscall.Signal {
	known := map[string][]syscall.Signal{
		"INT": {syscall.SIGINT}, "TERM": {syscall.SIGTERM}, "INT+INT": {syscall.SIGINT, syscall.SIGINT},
	}
	list, ok := known[name]
	if !ok {
		ts.Fatalf("no signal %q", name)
	}
	return list
}

// argNumber reads the number that comes first in args.
func argNumber(ts *testscript.TestScript, neg bool, args []string, usage string) int {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: %s", usage)
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	return n
}

func exitStatus(ts *testscript.TestScript, err error) int {
	if err == nil {
		return 0
	}
	ended, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		ts.Fatalf("not run: %v", err)
	}
	return ended.ExitCode()
}

// watched is a buffer that tells when its text first matches.
type watched struct {
	until *regexp.Regexp
	seen  chan struct{}

	mu   sync.Mutex
	text bytes.Buffer
	told bool
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text.Write(p)
	if !w.told && w.until.Match(w.text.Bytes()) {
		w.told = true
		close(w.seen)
	}
	return len(p), nil
}

func (w *watched) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

package main

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/kvscen/kvscen/internal/result"
)

var metricsURL = regexp.MustCompile(`metrics: (http://\S+)`)

// scrapes REGEXP COMMAND... starts a run with --metrics-addr, fetches its page
// until the text matches, and interrupts the run.
func scrapes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: scrapes REGEXP COMMAND...")
	}
	want, err := regexp.Compile(args[0])
	ts.Check(err)
	cmd := exec.Command(args[1], args[2:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(os.Environ(), "HOME="+ts.Getenv("HOME"), "TMPDIR="+ts.Getenv("TMPDIR"))
	stderr := &watched{until: metricsURL, seen: make(chan struct{})}
	cmd.Stderr = stderr
	ts.Check(cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	limit := time.After(patience)
	page := ""
	var tick <-chan time.Time = make(chan time.Time)
	for !want.MatchString(page) {
		select {
		case <-stderr.seen:
			stderr.seen, tick = nil, time.Tick(100*time.Millisecond)
		case <-tick:
			page = fetched(metricsURL.FindStringSubmatch(stderr.String())[1])
		case err := <-ended:
			ts.Fatalf("ended (%v) before its page matched %s:\n%s%s", err, args[0], page, stderr)
		case <-limit:
			cmd.Process.Kill()
			ts.Fatalf("the page never matched %s:\n%s%s", args[0], page, stderr)
		}
	}
	ts.Check(cmd.Process.Signal(syscall.SIGINT))
	select {
	case err := <-ended:
		if got := exitStatus(ts, err); got != result.StatusInterrupted {
			ts.Fatalf("exit status %d after the interrupt:\n%s", got, stderr)
		}
	case <-limit:
		cmd.Process.Kill()
		ts.Fatalf("still there after the interrupt:\n%s", stderr)
	}
}

// fetched is the text at a URL; empty where there is none.
func fetched(url string) string {
	client := http.Client{Timeout: patience}
	reply, err := client.Get(url)
	if err != nil {
		return ""
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		return ""
	}
	return string(text)
}

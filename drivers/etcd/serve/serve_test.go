package serve_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers/etcd/serve"
)

// The test binary is the member, too.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "serve" {
		if err := serve.Serve(context.Background(), os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// freePort finds a port that was free a moment ago.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func member(dir, client, peer string) []string {
	return []string{
		"--name", "m1", "--dir", dir, "--client-url", client, "--peer-url", peer,
		"--initial-cluster", "m1=http://" + peer, "--heartbeat", "20ms", "--election", "200ms", "--log", "error",
	}
}

// awaitHealth waits until the member has a leader and commits.
func awaitHealth(t *testing.T, client string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		r, err := http.Get("http://" + client + "/health")
		if err == nil {
			r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return
			}
		}
		if time.Now().After(end) {
			t.Fatalf("the member is not healthy: %v", err)
		}
	}
}

func TestServeUntilCancelled(t *testing.T) {
	client, peer := freePort(t), freePort(t)
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- serve.Serve(ctx, member(t.TempDir(), client, peer)) }()
	awaitHealth(t, client)
	cancel()
	select {
	case err := <-served:
		if err != nil {
			t.Errorf("Serve: %v", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("Serve does not return")
	}
	l, err := net.Listen("tcp", client)
	if err != nil {
		t.Fatalf("the port is still taken: %v", err)
	}
	l.Close()
}

func TestServeAsAProcess(t *testing.T) {
	tests := []struct {
		name   string
		end    func(member *os.Process, stdin io.Closer) error
		status int
		log    string
	}{
		{"its parent ends", func(_ *os.Process, stdin io.Closer) error { return stdin.Close() }, 3, "the process that started it is gone"},
		{"SIGTERM", func(member *os.Process, _ io.Closer) error { return member.Signal(syscall.SIGTERM) }, 0, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			client, peer := freePort(t), freePort(t)
			var log bytes.Buffer
			cmd := exec.Command(os.Args[0], append([]string{"serve"}, member(t.TempDir(), client, peer)...)...)
			cmd.Stderr = &log
			stdin, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = cmd.Process.Kill() })
			awaitHealth(t, client)
			if err := test.end(cmd.Process, stdin); err != nil {
				t.Fatal(err)
			}
			waited := make(chan struct{})
			go func() {
				defer close(waited)
				_ = cmd.Wait() // its status is looked at below
			}()
			select {
			case <-waited:
			case <-time.After(time.Minute):
				t.Fatal("the member goes on")
			}
			if cmd.ProcessState.ExitCode() != test.status || !strings.Contains(log.String(), test.log) {
				t.Errorf("%v, log %s", cmd.ProcessState, &log)
			}
		})
	}
}

func TestServeErrors(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"client port taken", member(t.TempDir(), taken.Addr().String(), freePort(t)), "address already in use"},
		{"peer port taken", member(t.TempDir(), freePort(t), taken.Addr().String()), "address already in use"},
		{"no folder", member(filepath.Join(file, "data"), freePort(t), freePort(t)), "data folder"},
		{"bad election", append(member(t.TempDir(), freePort(t), freePort(t)), "--election", "30ms"), "election-timeout"},
		{"not in the cluster", append(member(t.TempDir(), freePort(t), freePort(t)), "--initial-cluster", "m2=http://127.0.0.1:1"), "m1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if err := serve.Serve(ctx, test.args); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
}

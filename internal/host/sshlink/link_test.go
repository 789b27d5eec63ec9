package sshlink_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/kvscen/kvscen/internal/host/sshlink"
	"github.com/kvscen/kvscen/internal/host/sshtest"
)

// settings are those of a user with the home folder given.
func settings(t *testing.T, home string) sshlink.Settings {
	t.Helper()
	t.Setenv("HOME", home)
	t.Setenv("SSH_AUTH_SOCK", "")
	s, err := sshlink.UserSettings()
	if err != nil {
		t.Fatal(err)
	}
	s.Configs = s.Configs[:1]       // not the machine's own
	s.KnownHosts = s.KnownHosts[:1] //
	s.Ask = nil
	return s
}

func dial(t *testing.T, s sshlink.Settings, target sshlink.Target) (*sshlink.Link, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	l, err := sshlink.NewDialer(s).Dial(ctx, target)
	if err == nil {
		t.Cleanup(l.Close)
	}
	return l, err
}

func target(s *sshtest.Server) sshlink.Target {
	return sshlink.Target{Addr: s.Address, Port: s.Port, User: s.User}
}

func mustDial(t *testing.T, s sshlink.Settings, target sshlink.Target) *sshlink.Link {
	t.Helper()
	l, err := dial(t, s, target)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestRun(t *testing.T) {
	server := sshtest.Start(t, sshtest.Options{})
	l := mustDial(t, settings(t, sshtest.Home(t, "", server)), target(server))
	if l.Address() != "127.0.0.1" {
		t.Errorf("address %q", l.Address())
	}
	out, err := l.Run(t.Context(), sshlink.Command{Script: `cat; printf '%s\n' "it's \$HOME"`, Stdin: strings.NewReader("in ")})
	if err != nil || string(out) != "in it's $HOME\n" {
		t.Errorf("got %q, %v", out, err)
	}
	_, err = l.Run(t.Context(), sshlink.Command{Script: "echo no such luck >&2; exit 7"})
	exit, ok := errors.AsType[*sshlink.ExitError](err)
	if !ok || exit.Status != 7 || !strings.Contains(exit.Error(), "no such luck") {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := l.Run(ctx, sshlink.Command{Script: "exec sleep 20"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a command beyond its deadline gives %v", err)
	}
}

func TestLimitsOfCommands(t *testing.T) {
	server := sshtest.Start(t, sshtest.Options{})
	s := settings(t, sshtest.Home(t, "", server))
	s.Limits.Command, s.Limits.Read = 3*time.Second, 3*time.Second
	l := mustDial(t, s, target(server))
	if _, err := l.Run(t.Context(), sshlink.Command{Script: "exec sleep 20"}); err == nil || !strings.Contains(err.Error(), "not over within") {
		t.Errorf("a command without end gives %v", err)
	}
	slow := "for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.5; done"
	if out, err := l.Run(t.Context(), sshlink.Command{Script: slow, Moves: true}); err != nil || len(out) != 16 {
		t.Errorf("a command that moves data gives %q, %v", out, err)
	}
	if _, err := l.Run(t.Context(), sshlink.Command{Script: "echo; exec sleep 20", Moves: true}); err == nil || !strings.Contains(err.Error(), "moved nothing") {
		t.Errorf("a command that moves nothing gives %v", err)
	}
}

func TestSession(t *testing.T) {
	server := sshtest.Start(t, sshtest.Options{})
	l := mustDial(t, settings(t, sshtest.Home(t, "", server)), target(server))
	s, err := l.Start(t.Context(), "while read -r x; do echo got $x; echo hm >&2; done", false)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i := range 3 {
		fmt.Fprintln(s.Stdin, i)
		got := make([]byte, len("got 0\n"))
		if _, err := io.ReadFull(s.Stdout, got); err != nil || string(got) != fmt.Sprintf("got %d\n", i) {
			t.Fatalf("got %q, %v", got, err)
		}
	}
}

func TestUnknownHost(t *testing.T) {
	server := sshtest.Start(t, sshtest.Options{})
	home := sshtest.Home(t, "StrictHostKeyChecking no\n", server)
	known := filepath.Join(home, ".ssh", "known_hosts")
	if err := os.Remove(known); err != nil {
		t.Fatal(err)
	}
	s := settings(t, home)
	_, err := dial(t, s, target(server))
	refused, ok := errors.AsType[*sshlink.HostKeyError](err)
	if !ok || refused.Changed {
		t.Fatalf("an unknown host gives %v", err)
	}
	for _, want := range []string{"127.0.0.1", "not known", ssh.FingerprintSHA256(server.Public), known, refused.Line} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the message lacks %q:\n%v", want, err)
		}
	}
	if err := os.WriteFile(known, []byte(refused.Line+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := dial(t, s, target(server)); err != nil {
		t.Errorf("with the line added: %v", err)
	}
}

func TestChangedHostKey(t *testing.T) {
	for _, kind := range []string{"ed25519", "rsa"} {
		server := sshtest.Start(t, sshtest.Options{HostKey: kind})
		home := sshtest.Home(t, "", server)
		other := sshtest.WriteKey(t, filepath.Join(t.TempDir(), "k"), "ed25519", "")
		line := fmt.Sprintf("[127.0.0.1]:%d %s", server.Port, ssh.MarshalAuthorizedKey(other))
		if err := os.WriteFile(filepath.Join(home, ".ssh", "known_hosts"), []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := dial(t, settings(t, home), target(server))
		if refused, ok := errors.AsType[*sshlink.HostKeyError](err); !ok || !refused.Changed || refused.Line != "" {
			t.Errorf("%s: a changed host key gives %v", kind, err)
		}
	}
}

// TestSecondHostKey: the server's first kind of key is not the one known.
func TestSecondHostKey(t *testing.T) {
	extra := filepath.Join(t.TempDir(), "second")
	public := sshtest.WriteKey(t, extra, "rsa", "")
	server := sshtest.Start(t, sshtest.Options{Config: "HostKey " + extra})
	home := sshtest.Home(t, "", server)
	line := fmt.Sprintf("[127.0.0.1]:%d %s", server.Port, ssh.MarshalAuthorizedKey(public))
	if err := os.WriteFile(filepath.Join(home, ".ssh", "known_hosts"), []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	mustDial(t, settings(t, home), target(server))
}

func TestWrongKey(t *testing.T) {
	server := sshtest.Start(t, sshtest.Options{})
	other := filepath.Join(t.TempDir(), "other")
	sshtest.WriteKey(t, other, "", "")
	to := target(server)
	to.Key = other
	_, err := dial(t, settings(t, sshtest.Home(t, "", server)), to)
	if err == nil || !strings.Contains(err.Error(), "user "+server.User+" was refused") {
		t.Errorf("a wrong key gives %v", err)
	}
	to.Key = filepath.Join(t.TempDir(), "missing")
	if _, err = dial(t, settings(t, sshtest.Home(t, "", server)), to); err == nil || !strings.Contains(err.Error(), "no key") {
		t.Errorf("a missing key gives %v", err)
	}
}

func TestPassphraseIsAskedOnce(t *testing.T) {
	for _, kind := range []string{"ed25519", "rsa"} {
		server := sshtest.Start(t, sshtest.Options{})
		key := filepath.Join(t.TempDir(), "locked")
		server.Authorize(t, sshtest.WriteKey(t, key, kind, "open sesame"))
		s := settings(t, sshtest.Home(t, "", server))
		to := target(server)
		to.Key = key
		if _, err := dial(t, s, to); err == nil || !strings.Contains(err.Error(), "encrypted") {
			t.Errorf("%s: with nobody to ask: %v", kind, err)
		}
		asked := 0
		s.Limits.Handshake = 2 * time.Second
		s.Ask = func(prompt string) ([]byte, error) {
			if !strings.Contains(prompt, key) {
				t.Errorf("prompt %q", prompt)
			}
			if asked++; asked == 1 {
				time.Sleep(2500 * time.Millisecond) // longer than the handshake's limit
				return []byte("wrong"), nil
			}
			return []byte("open sesame"), nil
		}
		d := sshlink.NewDialer(s)
		for range 2 {
			l, err := d.Dial(t.Context(), to)
			if err != nil {
				t.Fatal(err)
			}
			l.Close()
		}
		if asked != 2 {
			t.Errorf("%s: asked %d times", kind, asked)
		}
	}
}

func TestAgent(t *testing.T) {
	program, err := exec.LookPath("ssh-agent")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("ssh-agent is not installed (openssh-client)")
		}
		t.Skip("ssh-agent is not installed (openssh-client)")
	}
	server := sshtest.Start(t, sshtest.Options{})
	home := sshtest.Home(t, "", server)
	if err := os.Remove(filepath.Join(home, ".ssh", "id_ed25519")); err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "agent") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket := filepath.Join(dir, "s")
	agent := exec.Command(program, "-D", "-a", socket)
	if err := agent.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = agent.Process.Kill(); _ = agent.Wait() })
	add := func() error {
		cmd := exec.Command("ssh-add", server.Key)
		cmd.Env = append(os.Environ(), "SSH_AUTH_SOCK="+socket)
		return cmd.Run()
	}
	for deadline := time.Now().Add(5 * time.Second); add() != nil; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the agent does not take the key")
		}
	}
	s := settings(t, home)
	s.Agent = socket
	mustDial(t, s, target(server))
}

// TestConfig reaches a server by an alias over two jump hosts.
func TestConfig(t *testing.T) {
	jump1, jump2 := sshtest.Start(t, sshtest.Options{}), sshtest.Start(t, sshtest.Options{})
	server := sshtest.Start(t, sshtest.Options{})
	key := filepath.Join(t.TempDir(), "mykey")
	public := sshtest.WriteKey(t, key, "", "")
	for _, s := range []*sshtest.Server{jump1, jump2, server} {
		s.Authorize(t, public)
	}
	config := fmt.Sprintf(`
Host far
  HostName 127.0.0.1
  Port %d
  User %s
  IdentityFile %s
  ProxyJump %[2]s@127.0.0.1:%[4]d,near
Host near
  HostName 127.0.0.1
  Port %[5]d
Host 127.0.0.1 near
  IdentityFile %[3]s
Host proxied
  ProxyCommand nc %%h %%p
`, server.Port, server.User, key, jump1.Port, jump2.Port)
	home := sshtest.Home(t, config, jump1, jump2, server)
	if err := os.Remove(filepath.Join(home, ".ssh", "id_ed25519")); err != nil {
		t.Fatal(err)
	}
	s := settings(t, home)
	l := mustDial(t, s, sshlink.Target{Addr: "far"})
	out, err := l.Run(t.Context(), sshlink.Command{Script: "echo $SSH_CONNECTION"})
	if fields := strings.Fields(string(out)); err != nil || len(fields) != 4 || fields[3] != strconv.Itoa(server.Port) {
		t.Errorf("got %q, %v", out, err)
	}
	if l.Address() != "" || l.Name() != "far" {
		t.Errorf("address %q, name %q", l.Address(), l.Name())
	}
	if _, err := dial(t, s, sshlink.Target{Addr: "proxied"}); err == nil || !strings.Contains(err.Error(), "ProxyCommand") {
		t.Errorf("a proxy command gives %v", err)
	}
}

// TestSilentMachine: a machine that is cut off is noticed, and frees what waits.
func TestSilentMachine(t *testing.T) {
	server := sshtest.Start(t, sshtest.Options{})
	relay := sshtest.NewRelay(t, server.Endpoint(), 0)
	s := settings(t, sshtest.Home(t, "", server.At(t, relay.Address)))
	s.Limits.KeepEvery, s.Limits.Patience = 50*time.Millisecond, time.Second
	to := target(server.At(t, relay.Address))
	l := mustDial(t, s, to)
	done := make(chan error, 1)
	go func() {
		_, err := l.Run(t.Context(), sshlink.Command{Script: "exec sleep 20"})
		done <- err
	}()
	select {
	case <-l.Lost():
		t.Fatal("lost while it answers:", l.Err())
	case <-time.After(500 * time.Millisecond):
	}
	relay.Cut()
	select {
	case err := <-done:
		if lost, ok := errors.AsType[*sshlink.LostError](err); !ok || lost.Name != "127.0.0.1" || !strings.Contains(err.Error(), "no answer for") {
			t.Errorf("got %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("a machine that was cut off was not noticed")
	}
}

// TestDeadPeers: nobody answers, or somebody who is no SSH server.
func TestDeadPeers(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	key := filepath.Join(t.TempDir(), "k")
	sshtest.WriteKey(t, key, "", "")
	s := settings(t, sshtest.Home(t, ""))
	s.Limits.Handshake = 200 * time.Millisecond
	to := sshlink.Target{Addr: "127.0.0.1", Port: l.Addr().(*net.TCPAddr).Port, Key: key}
	if _, err := dial(t, s, to); err == nil || !strings.Contains(err.Error(), "handshake was not over within 200ms") {
		t.Errorf("a silent peer gives %v", err)
	}
	l.Close()
	if _, err := dial(t, s, to); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf("a closed port gives %v", err)
	}
}

// TestDelay: 200 ms each way are no reason to give up.
func TestDelay(t *testing.T) {
	server := sshtest.Start(t, sshtest.Options{})
	relay := sshtest.NewRelay(t, server.Endpoint(), 100*time.Millisecond)
	behind := server.At(t, relay.Address)
	l := mustDial(t, settings(t, sshtest.Home(t, "", behind)), target(behind))
	big := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
	out, err := l.Run(t.Context(), sshlink.Command{Script: "cat", Stdin: bytes.NewReader(big), Moves: true})
	if err != nil || !bytes.Equal(out, big) {
		t.Errorf("%d bytes came back, %v", len(out), err)
	}
}

// Package sshtest starts real SSH servers for tests, on ports and with keys of
// their own, and makes the home folder of a user who knows them.
package sshtest

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

// Options say how a server is to be.
type Options struct {
	Address   string // to listen on; empty: 127.0.0.1
	Port      int    // 0: a free one
	Namespace string // network namespace to run in; empty: ours
	Config    string // further lines of sshd_config
	Env       string // NAME=VALUE..., for the sessions
	HostKey   string // "ed25519", also when empty, or "rsa"
}

// Server is a running sshd, and a user whom it lets in.
type Server struct {
	Address   string
	Port      int
	User      string
	Key       string        // file of the user's private key
	Public    ssh.PublicKey // of the host
	KnownLine string        // the host in known_hosts
	Home      string        // of its sessions

	dir  string
	cmd  *exec.Cmd
	held io.Closer // the server ends with it
}

// Program is the path of sshd. Where it is not installed the test is skipped,
// or fails where CI says that all is installed.
func Program(t testing.TB) string {
	t.Helper()
	for _, path := range []string{"/usr/sbin/sshd", "/usr/bin/sshd", "/usr/local/sbin/sshd"} {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	lacking(t, "sshd is not installed (openssh-server)")
	return ""
}

// Start starts a server, which ends with the test.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	program := Program(t)
	s := &Server{Address: o.Address, Port: o.Port, dir: t.TempDir()}
	s.Home = s.dir
	if s.Address == "" {
		s.Address = "127.0.0.1"
	}
	if s.Port == 0 {
		s.Port = freePort(t)
	}
	u, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	s.User = u.Username
	s.Key = filepath.Join(s.dir, "id_ed25519")
	authorized := WriteKey(t, s.Key, "ed25519", "")
	s.write(t, "authorized_keys", string(ssh.MarshalAuthorizedKey(authorized)))
	s.Public = WriteKey(t, filepath.Join(s.dir, "host_key"), o.HostKey, "")
	s.KnownLine = s.line()
	config := []string{
		"Port " + strconv.Itoa(s.Port),
		"ListenAddress " + s.Address,
		"HostKey " + filepath.Join(s.dir, "host_key"),
		"AuthorizedKeysFile " + filepath.Join(s.dir, "authorized_keys"),
		"PidFile none", "UsePAM no", "StrictModes no", "UseDNS no",
		"ClientAliveInterval 20", "ClientAliveCountMax 2", // for connections that are cut when nobody is left to end them
		"PasswordAuthentication no", "PermitRootLogin prohibit-password",
		// A home without start-up files, which may take seconds.
		"SetEnv HOME=" + s.Home + " " + o.Env,
		o.Config,
	}
	s.write(t, "sshd_config", strings.Join(config, "\n")+"\n")
	t.Cleanup(func() { endAll(s.Home) }) // after the server
	if os.Getuid() == 0 {
		if err := os.MkdirAll("/run/sshd", 0o755); err != nil {
			t.Fatal(err)
		}
	}
	argv := []string{"sh", "-c", mortal, "sh", s.Home, program, "-D", "-e", "-f", filepath.Join(s.dir, "sshd_config")}
	if o.Namespace != "" {
		argv = append(enter(o.Namespace), argv...)
	}
	t.Cleanup(s.Stop)
	s.run(t, argv)
	return s
}

// run starts the server and waits until it answers.
func (s *Server) run(t testing.TB, argv []string) {
	t.Helper()
	log, err := os.Create(filepath.Join(s.dir, "sshd.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	s.cmd = exec.Command(argv[0], argv[1:]...)
	s.cmd.Stdout, s.cmd.Stderr = log, log
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if s.held, err = s.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		conn, err := net.DialTimeout("tcp", s.Endpoint(), time.Second)
		if err == nil {
			conn.Close()
			return
		}
	}
	text, _ := os.ReadFile(log.Name())
	t.Fatalf("sshd does not answer on %s:\n%s", s.Endpoint(), text)
}

// line is the host in known_hosts.
func (s *Server) line() string {
	name := fmt.Sprintf("[%s]:%d", s.Address, s.Port)
	if s.Port == 22 {
		name = s.Address
	}
	return fmt.Sprintf("%s %s", name, ssh.MarshalAuthorizedKey(s.Public))
}

// Entry is the server in ssh_config.
func (s *Server) Entry() string {
	return fmt.Sprintf("Host %s\n  Port %d\n  User %s\n  IdentityFile %s\n", s.Address, s.Port, s.User, s.Key)
}

// At is the server as it is reached at another address, host:port.
func (s *Server) At(t testing.TB, address string) *Server {
	t.Helper()
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	at := *s
	at.Address = host
	if at.Port, err = strconv.Atoi(port); err != nil {
		t.Fatal(err)
	}
	at.KnownLine = at.line()
	return &at
}

// Endpoint is host:port.
func (s *Server) Endpoint() string { return net.JoinHostPort(s.Address, strconv.Itoa(s.Port)) }

// Stop ends the server and its connections, but not what was started over them.
func (s *Server) Stop() {
	if s.cmd != nil && s.cmd.Process != nil && s.cmd.ProcessState == nil {
		endSessions(s.cmd.Process.Pid)
		_ = s.cmd.Wait()
	}
}

// Authorize lets another key in.
func (s *Server) Authorize(t testing.TB, key ssh.PublicKey) {
	t.Helper()
	file := filepath.Join(s.dir, "authorized_keys")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s.write(t, "authorized_keys", string(text)+string(ssh.MarshalAuthorizedKey(key)))
}

func (s *Server) write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

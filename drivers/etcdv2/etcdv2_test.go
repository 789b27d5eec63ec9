package etcdv2

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/drivertest"
)

// member is a real etcd of one member, of the program installed here.
type member struct {
	binary, dir  string
	client, peer string
	process      *exec.Cmd
	scheme       string         // of the client's URL
	flags        []string       // beside the usual ones
	base         drivers.Target // what a target has beside the endpoint
}

func startMember(t *testing.T) *member {
	t.Helper()
	m := newMember(t)
	m.start(t)
	t.Cleanup(m.stop)
	return m
}

// newMember prepares a member. Where etcd is not installed the test is passed
// over, unless this is the machine that all tests must run on.
func newMember(t *testing.T) *member {
	t.Helper()
	binary, err := exec.LookPath("etcd")
	switch {
	case err != nil && os.Getenv("CI") == "true":
		t.Fatalf("etcd is not installed: %v", err)
	case err != nil:
		t.Skip("etcd is not installed")
	}
	return &member{binary: binary, dir: t.TempDir(), client: freeAddress(t), peer: freeAddress(t), scheme: "http"}
}

func (m *member) target() drivers.Target {
	t := m.base
	t.Endpoint, t.Timeout = m.client, 10*time.Second
	return t
}

// freeAddress finds one that is free now.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func (m *member) start(t *testing.T) {
	t.Helper()
	log, err := os.OpenFile(filepath.Join(m.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	args := []string{"--enable-v2", "--name", "m1", "--data-dir", filepath.Join(m.dir, "data"),
		"--listen-client-urls", m.scheme + "://" + m.client, "--advertise-client-urls", m.scheme + "://" + m.client,
		"--listen-peer-urls", "http://" + m.peer, "--initial-advertise-peer-urls", "http://" + m.peer,
		"--initial-cluster", "m1=http://" + m.peer, "--heartbeat-interval", "20", "--election-timeout", "200"}
	m.process = exec.Command(m.binary, append(args, m.flags...)...)
	m.process.Stdout, m.process.Stderr = log, log
	if err := m.process.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		err := m.answers(t)
		if err == nil {
			return
		}
		if time.Now().After(end) {
			m.stop()
			text, _ := os.ReadFile(log.Name())
			t.Fatalf("etcd does not answer: %v\n%s", err, text)
		}
	}
}

func (m *member) answers(t *testing.T) error {
	conn, err := New().Dial(t.Context(), m.target())
	if err != nil {
		return err
	}
	defer conn.Close()
	st, err := conn.(drivers.Statuser).Status(t.Context())
	if err == nil && st.Leader == "" {
		err = fmt.Errorf("it has no leader")
	}
	return err
}

func (m *member) stop() {
	m.process.Process.Kill()
	m.process.Wait()
}

func TestConformance(t *testing.T) {
	m := startMember(t)
	drivertest.Run(t, drivertest.Harness{
		Driver:  New(),
		Target:  func(*testing.T) drivers.Target { return m.target() },
		Network: true,
		Restart: func(t *testing.T) func() {
			m.stop()
			return func() { m.start(t) }
		},
		Count:    count,
		TTLSlack: 2 * time.Second, // keys expire when the leader's clock ticks, twice a second
	})
}

func TestValues(t *testing.T) {
	for _, value := range []string{"", "text", "ö", "\x00", "=", "=text", "\xff", "\xff\xfe\xfd", "a\xff"} {
		text := encode([]byte(value))
		back, err := decode(text)
		if err != nil || string(back) != value || valueLen(text) != len(value) || !utf8.ValidString(text) {
			t.Errorf("value %q stored as %q: %q, %v, length %d", value, text, back, err, valueLen(text))
		}
	}
}

// Paths are apart where keys are, and give the length of the key back.
func TestPaths(t *testing.T) {
	seen := map[string]string{}
	for _, key := range []string{"a", "a/b", "", "/", "//", "/a", "a/", "a//b", ".", "..", "a/../b", "_a", "a_b", "%", "%25", "%%", " ", "\x00", "ö", "\xff", "/%/", "a%/b"} {
		path := pathOf([]byte(key))
		if other, ok := seen[path]; ok {
			t.Errorf("keys %q and %q have one path, %q", key, other, path)
		}
		seen[path] = key
		if n := keyLen(path); n != len(key) {
			t.Errorf("key %q at %q: length %d, want %d", key, path, n, len(key))
		}
		if back := keyOf(path); back != key {
			t.Errorf("key %q at %q: read back as %q", key, path, back)
		}
		if dir := dirOf([]byte(key)); dir != "/" && !strings.HasPrefix(path, dir+"/") {
			t.Errorf("key %q at %q is not below %q", key, path, dir)
		}
	}
}

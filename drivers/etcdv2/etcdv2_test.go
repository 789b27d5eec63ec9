package etcdv2

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/drivertest"
	"github.com/kvscen/kvscen/internal/testserver"
)

// member is a real etcd of one member, of the program installed here.
type member struct {
	binary, dir  string
	client, peer string
	process      *testserver.Server
	scheme       string         // of the client's URL
	flags        []string       // beside the usual ones
	base         drivers.Target // what a target has beside the endpoint
}

func startMember(t *testing.T) *member {
	t.Helper()
	m := newMember(t)
	m.start(t)
	return m
}

// newMember prepares a member. Where etcd is not installed the test is passed
// over, unless this is the machine that all tests must run on.
func newMember(t *testing.T) *member {
	t.Helper()
	binary, err := exec.LookPath("etcd")
	if err != nil {
		testserver.Lacking(t, fmt.Sprintf("etcd is not installed: %v", err))
	}
	ports := drivertest.Ports(t, 2)
	return &member{
		binary: binary, dir: t.TempDir(), scheme: "http",
		client: fmt.Sprintf("127.0.0.1:%d", ports[0]), peer: fmt.Sprintf("127.0.0.1:%d", ports[1]),
	}
}

func (m *member) target() drivers.Target {
	t := m.base
	t.Endpoint, t.Timeout = m.client, time.Minute
	return t
}

func (m *member) start(t *testing.T) {
	t.Helper()
	args := []string{m.binary, "--enable-v2", "--name", "m1", "--data-dir", filepath.Join(m.dir, "data"),
		"--listen-client-urls", m.scheme + "://" + m.client, "--advertise-client-urls", m.scheme + "://" + m.client,
		"--listen-peer-urls", "http://" + m.peer, "--initial-advertise-peer-urls", "http://" + m.peer,
		"--initial-cluster", "m1=http://" + m.peer, "--heartbeat-interval", "100", "--election-timeout", "1000"}
	m.process = testserver.Start(t, filepath.Join(m.dir, "log"), append(args, m.flags...)...)
	m.wait(t)
}

func (m *member) wait(t *testing.T) {
	t.Helper()
	m.process.Await(t, func() error { return m.answers(t) })
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

func TestConformance(t *testing.T) {
	m := startMember(t)
	drivertest.Run(t, drivertest.Harness{
		Driver:  New(),
		Target:  func(*testing.T) drivers.Target { return m.target() },
		Network: true,
		Restart: func(t *testing.T) func() {
			m.process.Kill()
			return func() {
				m.process.Restart(t)
				m.wait(t)
			}
		},
		Count: count,
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

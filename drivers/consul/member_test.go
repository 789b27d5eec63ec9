package consul

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/drivertest"
	"github.com/kvscen/kvscen/internal/testserver"
)

// member is a real Consul of one server in a process of its own.
type member struct {
	program, dir string
	ports        map[string]int
	settings     map[string]any
	process      *testserver.Server
	base         drivers.Target // what a target has beside the endpoint
	scheme       string         // name of the port that clients connect to
}

// startMember starts a server.
func startMember(t testing.TB) *member {
	t.Helper()
	m := newMember(t)
	m.settle(t)
	return m
}

// newMember prepares a server. Where Consul is not installed the test is passed
// over, unless this is the machine that all tests must run on.
func newMember(t testing.TB) *member {
	t.Helper()
	program, err := exec.LookPath("consul")
	if err != nil {
		testserver.Lacking(t, fmt.Sprintf("consul is not installed: %v; .ci/install-consul installs it", err))
	}
	free := drivertest.Ports(t, 3)
	m := &member{program: program, dir: t.TempDir(), scheme: "http", ports: map[string]int{
		"http": free[0], "server": free[1], "serf_lan": free[2],
		"serf_wan": -1, "dns": -1, "grpc": -1, "https": -1,
	}}
	m.settings = map[string]any{
		"server": true, "bootstrap_expect": 1, "node_name": "m1",
		"data_dir":  filepath.Join(m.dir, "data"),
		"bind_addr": "127.0.0.1", "client_addr": "127.0.0.1", "ports": m.ports,
		"performance":          map[string]any{"raft_multiplier": 1},
		"connect":              map[string]any{"enabled": false},
		"disable_update_check": true,
	}
	return m
}

// settle writes the server's settings and starts it, until the test ends.
func (m *member) settle(t testing.TB) {
	t.Helper()
	config, err := json.Marshal(m.settings)
	if err == nil {
		err = os.WriteFile(m.config(), config, 0o600)
	}
	if err != nil {
		t.Fatalf("write the server's settings: %v", err)
	}
	m.start(t)
}

func (m *member) config() string { return filepath.Join(m.dir, "consul.json") }

// start starts the server and waits until it leads.
func (m *member) start(t testing.TB) {
	t.Helper()
	m.process = testserver.Start(t, filepath.Join(m.dir, "log"), m.program, "agent", "-config-file="+m.config())
	m.wait(t)
}

func (m *member) wait(t testing.TB) {
	t.Helper()
	m.process.Await(t, func() error { return m.leads(t) })
}

// leads has one write acknowledged.
func (m *member) leads(t testing.TB) error {
	conn, err := New().Dial(t.Context(), m.target())
	if err != nil {
		return err
	}
	defer conn.Close()
	client, err := conn.Client([]drivers.OpSpec{{Kind: drivers.Put}})
	if err != nil {
		return err
	}
	return client.Do(t.Context(), &drivers.Op{Key: []byte("ready"), Deadline: time.Now().Add(10 * time.Second)})
}

// restart kills the member and returns what starts it again.
func (m *member) restart(t *testing.T) func() {
	m.process.Kill()
	return func() {
		m.process.Restart(t)
		m.wait(t)
	}
}

func (m *member) target() drivers.Target {
	t := m.base
	t.Endpoint, t.Timeout = fmt.Sprintf("127.0.0.1:%d", m.ports[m.scheme]), time.Minute
	return t
}

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
)

// member is a real Consul of one server in a process of its own.
type member struct {
	program, dir string
	ports        map[string]int
	settings     map[string]any
	process      *exec.Cmd
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
	switch {
	case err == nil:
	case os.Getenv("CI") == "true":
		t.Fatalf("consul is not installed: %v; .ci/install-consul installs it", err)
	default:
		t.Skipf("consul is not installed: %v; .ci/install-consul installs it", err)
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
	t.Cleanup(m.stop)
}

func (m *member) config() string { return filepath.Join(m.dir, "consul.json") }

// start starts the server and waits until it leads.
func (m *member) start(t testing.TB) {
	t.Helper()
	log, err := os.OpenFile(filepath.Join(m.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	m.process = exec.Command(m.program, "agent", "-config-file="+m.config())
	m.process.Stdout, m.process.Stderr = log, log
	if err := m.process.Start(); err != nil {
		t.Fatalf("start consul: %v", err)
	}
	var last error
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if last = m.leads(t); last == nil {
			return
		}
	}
	text, _ := os.ReadFile(log.Name())
	t.Fatalf("consul is not ready after 30 s: %v; its log:\n%s", last, text)
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
	return client.Do(t.Context(), &drivers.Op{Key: []byte("ready"), Deadline: time.Now().Add(time.Second)})
}

// stop kills the server, as a test of a restart wants it.
func (m *member) stop() {
	_ = m.process.Process.Kill()
	_ = m.process.Wait() // it says that it was killed
}

// restart stops the member and returns what starts it again.
func (m *member) restart(t *testing.T) func() {
	m.stop()
	return func() { m.start(t) }
}

func (m *member) target() drivers.Target {
	t := m.base
	t.Endpoint, t.Timeout = fmt.Sprintf("127.0.0.1:%d", m.ports[m.scheme]), 10*time.Second
	return t
}

package etcd

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/drivertest"
)

const asMember = "KVSCEN_TEST_MEMBER" // set: this test binary is to be that member

// TestMemberProcess is no test: it is what startProcess runs in a process of its
// own. It ends with its standard input, and so with its parent.
func TestMemberProcess(t *testing.T) {
	text := os.Getenv(asMember)
	if text == "" {
		t.Skip("only for other tests, in a process of its own")
	}
	var p process
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		t.Fatal(err)
	}
	m := startMemberAt(t, p.Dir, p.Ports, nil)
	fmt.Println(m.target().Endpoint)
	io.Copy(io.Discard, os.Stdin)
}

// process is a member in a process of its own, so that it can be killed, and that
// this process's CPU time is the client's alone.
type process struct {
	Dir      string
	Ports    []int
	endpoint string
	command  *exec.Cmd
	input    io.Closer
}

func startProcess(t testing.TB) *process {
	t.Helper()
	p := &process{Dir: t.TempDir(), Ports: drivertest.Ports(t, 2)}
	p.start(t)
	t.Cleanup(p.kill)
	return p
}

func (p *process) start(t testing.TB) {
	t.Helper()
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	p.command = exec.Command(os.Args[0], "-test.run=^TestMemberProcess$", "-test.timeout=0")
	p.command.Env = append(os.Environ(), asMember+"="+string(text))
	if p.input, err = p.command.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	output, err := p.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.command.Start(); err != nil {
		t.Fatalf("start a member: %v", err)
	}
	addr, err := bufio.NewReader(output).ReadString('\n')
	if p.endpoint = strings.TrimSpace(addr); err != nil || !strings.HasPrefix(p.endpoint, "127.0.0.1:") {
		t.Fatalf("start a member: it says %q, %v", addr, err)
	}
}

func (p *process) kill() {
	_ = p.command.Process.Kill() // it may have ended by itself
	_ = p.input.Close()
	_ = p.command.Wait() // killed
}

// restart kills the member and returns what starts it again.
func (p *process) restart(t *testing.T) func() {
	p.kill()
	return func() { p.start(t) }
}

func (p *process) target() drivers.Target {
	return drivers.Target{Endpoint: p.endpoint, Timeout: time.Minute}
}

// count asks the member for the number of keys with a prefix, by the library alone.
func (p *process) count(t *testing.T, _ drivers.Target, prefix []byte) int {
	t.Helper()
	c, err := clientv3.New(clientv3.Config{Endpoints: []string{p.endpoint}, Logger: zap.NewNop()})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r, err := c.Get(t.Context(), string(prefix), clientv3.WithPrefix(), clientv3.WithCountOnly())
	if err != nil {
		t.Fatal(err)
	}
	return int(r.Count)
}

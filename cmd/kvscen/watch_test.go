//go:build linux

package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/host/sshtest"
	"github.com/kvscen/kvscen/internal/result"
)

// foreignEtcd is an etcd that this test has started, and not kvscen.
type foreignEtcd struct {
	endpoint, dir, log, pidFile string
	pid                         int
}

func startForeignEtcd(t *testing.T, ip string) *foreignEtcd {
	t.Helper()
	if ok, err := installed("installed:etcd"); !ok {
		if err != nil {
			t.Fatal(err)
		}
		t.Skip("etcd is not installed")
	}
	dir := t.TempDir()
	e := &foreignEtcd{
		endpoint: unused(t, ip), dir: filepath.Join(dir, "data"),
		log: filepath.Join(dir, "etcd.log"), pidFile: filepath.Join(dir, "etcd.pid"),
	}
	log, err := os.Create(e.log)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	client, peer := "http://"+e.endpoint, "http://"+unused(t, ip)
	cmd := exec.Command("etcd", "--name", "a", "--data-dir", e.dir, "--listen-client-urls", client, "--advertise-client-urls", client,
		"--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", "a="+peer)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	e.pid = cmd.Process.Pid
	if err := os.WriteFile(e.pidFile, fmt.Appendln(nil, e.pid), 0o600); err != nil {
		t.Fatal(err)
	}
	healthy := func() bool {
		answer, err := http.Get(client + "/health")
		if err != nil {
			return false
		}
		answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	}
	for end := time.Now().Add(time.Minute); !healthy(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			text, _ := os.ReadFile(e.log)
			t.Fatalf("etcd is not ready:\n%s", text)
		}
	}
	return e
}

// unused is an address that nobody listens on.
func unused(t *testing.T, ip string) string {
	t.Helper()
	l, err := net.Listen("tcp", ip+":0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

const watchScenario = `
def main(endpoint = "", process = "", pidfile = "", hosts = "", data = "", log = ""):
    records = keys(3000, size = 32)
    return scenario(
        clusters = [stores["etcd"](
            endpoints = [endpoint], process = process, pidfile = pidfile, data = data, log = log,
            hosts = [hosts] if hosts else None,
        )],
        phases = [phase("write", put(records.sequential(), value(128)), requests = 3000, clients = 10)],
    )
`

// TestRunningStoreIsSampled samples an etcd that runs already, by name on this
// machine and by its pid file over SSH, and leaves it running.
func TestRunningStoreIsSampled(t *testing.T) {
	e := startForeignEtcd(t, "127.0.0.1")
	server := sshtest.Start(t, sshtest.Options{})
	home := sshtest.Home(t, server.Entry(), server)
	scenario := filepath.Join(home, "watch.star")
	if err := os.WriteFile(scenario, []byte(watchScenario), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"local": {"--set", "process=etcd"},
		"ssh":   {"--set", "pidfile=" + e.pidFile, "--set", "hosts=" + server.Address},
	} {
		out := filepath.Join(home, name)
		args = append([]string{"run", "--out", out, "--set", "endpoint=" + e.endpoint, "--set", "data=" + e.dir, "--set", "log=" + e.log}, args...)
		cmd, text := command(t, home, append(args, scenario)...)
		if err := cmd.Run(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		run, err := result.Load(out)
		if err != nil {
			t.Fatal(err)
		}
		c := run.Clusters[0]
		place := map[string]string{"local": "local", "ssh": server.Address}[name]
		if m := c.Members[0]; m.Host != place || len(m.Processes) != 1 || !strings.Contains(m.Processes[0], e.dir) {
			t.Errorf("%s: member %+v", name, m)
		}
		for _, h := range c.Machines {
			env := run.Environment
			if h.Name != place || h.OS != env.OS || h.Kernel != env.Kernel || h.CPU != env.CPU || h.Cores != runtime.NumCPU() || h.Memory != env.Memory {
				t.Errorf("%s: machine %+v, and we are on %+v", name, h, env)
			}
		}
		if n := map[string]int{"local": 0, "ssh": 1}[name]; len(c.Machines) != n || strings.Count(text.String(), "host "+place) != n {
			t.Errorf("%s: machines %+v", name, c.Machines)
		}
		u := c.Phases[0].Steps[0].Usage
		m := u.Members[0]
		if !m.CPUSeconds.OK() || m.CPUSeconds.V <= 0 || !m.MaxRSS.OK() || m.MaxRSS.V < 1<<20 || m.WriteBytes.V < 3000*128 || m.DiskUsage.V < 1<<20 || m.Host != place {
			t.Errorf("%s: usage %+v", name, m)
		}
		if h := u.Hosts[len(u.Hosts)-1]; h.Name != place || !h.Servers || h.Device != "" && h.SectorsWritten.V < 3000 {
			t.Errorf("%s: hosts %+v", name, u.Hosts)
		}
		if !strings.Contains(text.String(), "CPU") || !strings.Contains(text.String(), place) {
			t.Errorf("%s: the table has no members:\n%s", name, text)
		}
		if err := syscall.Kill(e.pid, 0); err != nil {
			t.Errorf("%s: etcd was ended: %v", name, err)
		}
		if _, err := os.Stat(e.dir); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		t.Logf("%s", text)
	}
	if left, _ := os.ReadDir(filepath.Join(home, ".kvscen")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

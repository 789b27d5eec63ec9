package cluster

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/plan"
)

// etcd is a plan of three embedded members, as a recipe makes it.
func etcd() *plan.Cluster {
	url := func(node, port string) string {
		return "http://${kvscen:" + node + ".ip}:${kvscen:" + node + ".port." + port + "}"
	}
	c := &plan.Cluster{Label: "etcd", ReadyWithin: 2 * time.Minute}
	var peers []string
	for i := range 3 {
		name := fmt.Sprintf("m%d", i+1)
		peers = append(peers, name+"="+url(name, "peer"))
		c.Nodes = append(c.Nodes, plan.Node{Name: name, Endpoint: strings.TrimPrefix(url(name, "client"), "http://")})
	}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		n.Processes = []plan.Process{{
			Name: "etcd",
			Argv: []string{
				"${kvscen:self}", "serve", "etcd", "--name", n.Name, "--dir", "${kvscen:" + n.Name + ".dir}/etcd",
				"--client-url", url(n.Name, "client"), "--peer-url", url(n.Name, "peer"),
				"--initial-cluster", strings.Join(peers, ","), "--token", "test", "--quota", "8589934592",
				"--flag", "warning-apply-duration=1ns",
			},
			Ready: &plan.Ready{Kind: "http", URL: url(n.Name, "client") + "/health", Body: `"health":"true"`},
			Stop:  plan.Stop{Signal: "TERM", Grace: 5 * time.Second},
		}}
	}
	return c
}

// eventually tries until nothing is wrong any more.
func eventually(t *testing.T, try func() error) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		err := try()
		if err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// write puts a key through the member's JSON gateway.
func write(endpoint string) error {
	client := &http.Client{Timeout: time.Minute}
	answer, err := client.Post("http://"+endpoint+"/v3/kv/put", "application/json", strings.NewReader(`{"key":"a2V5","value":"dmFsdWU="}`))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if text, _ := io.ReadAll(answer.Body); answer.StatusCode != http.StatusOK {
		return fmt.Errorf("put: status %d, %s", answer.StatusCode, text)
	}
	return nil
}

func TestThreeEtcdMembers(t *testing.T) {
	cfg := config(t)
	begin := time.Now()
	c := start(t, etcd(), cfg)
	t.Logf("ready in %v", time.Since(begin))
	before, err := c.MarkLogs()
	if err != nil {
		t.Fatal(err)
	}
	members := c.Members()
	for _, m := range members {
		eventually(t, func() error { return write(m.Endpoint) })
		disk, err := c.DiskUsage(m.Name)
		if err != nil || disk < 1<<20 {
			t.Errorf("disk usage of %s: %d, %v", m.Name, disk, err)
		}
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", m.PIDs[0]))
		_, rss, _ := strings.Cut(string(status), "VmRSS:")
		rss, _, _ = strings.Cut(rss, "\n")
		t.Logf("%s: pid %d, RSS %s, disk %d MB", m.Name, m.PIDs[0], strings.TrimSpace(rss), disk>>20)
	}
	m1 := members[0].Log
	eventually(t, func() error {
		after, err := c.MarkLogs()
		if err != nil {
			return err
		}
		slow := plan.Marker{Regexp: "apply request took too long", Label: "slow"}
		marks, err := CountMarkers(m1, before[m1], after[m1], []plan.Marker{slow})
		if err != nil || marks["slow"] < 3 {
			return fmt.Errorf("three writes with every apply logged: %v, %v", marks, err)
		}
		return nil
	})
	leader := plan.Marker{Regexp: "elected leader", Label: "leader"}
	if marks, err := CountMarkers(m1, 0, before[m1], []plan.Marker{leader}); err != nil || marks["leader"] == 0 {
		t.Errorf("no election is in the log: %v, %v", marks, err)
	}

	if err := syscall.Kill(members[2].PIDs[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	select {
	case d := <-c.Died():
		if d.Member != "m3" || len(d.LastLines) != lastLines {
			t.Errorf("%v died, with %d lines", d, len(d.LastLines))
		}
	case <-time.After(time.Minute):
		t.Fatal("nobody noticed that m3 died")
	}
	eventually(t, func() error { return write(members[0].Endpoint) })
	begin = time.Now()
	if err := c.Stop(context.Background()); err != nil {
		t.Errorf("stop: %v", err)
	}
	t.Logf("stopped in %v", time.Since(begin))
}

func TestEtcdPortTaken(t *testing.T) {
	c := etcd()
	argv := c.Nodes[1].Processes[0].Argv
	argv[8] = "http://${kvscen:m1.ip}:${kvscen:m1.port.client}"
	if !strings.Contains(argv[8], "client") || argv[7] != "--client-url" {
		t.Fatal("the plan has changed:", argv)
	}
	_, err := Start(t.Context(), c, config(t))
	if err == nil || !strings.Contains(err.Error(), "address already in use") || !strings.Contains(err.Error(), "ended before it was ready") {
		t.Errorf("got %v", err)
	}
}

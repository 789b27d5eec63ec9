//go:build linux

package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/kvscen/kvscen/internal/host/sshtest"
	"github.com/kvscen/kvscen/internal/result"
)

// refusedByHosts has the user wait for nothing: a wrong key, a machine that is not
// known, and one that is known otherwise.
func refusedByHosts(t *testing.T, f *fleet) {
	other := filepath.Join(t.TempDir(), "other")
	public := sshtest.WriteKey(t, other, "ed25519", "")
	s := f.Servers[0]
	known := filepath.Join(f.home, ".ssh", "known_hosts")
	text, err := os.ReadFile(known)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := os.WriteFile(known, text, 0o600); err != nil {
			t.Error(err)
		}
	}()
	withKey := f.file(t, "wrong.txt", func(s *sshtest.Server) string { return s.Address + " key=" + other })
	for _, test := range []struct {
		name, hosts, known string
		want               []string
	}{
		{"wrong key", withKey, string(text), []string{"user " + s.User + " was refused", ssh.FingerprintSHA256(public)}},
		{"unknown", f.hosts, "", []string{"its host key is not known", ssh.FingerprintSHA256(s.Public), "add this line to " + known, s.KnownLine}},
		{"changed", f.hosts, s.Address + " " + string(ssh.MarshalAuthorizedKey(public)), []string{
			"its host key has changed", ssh.FingerprintSHA256(s.Public), ssh.FingerprintSHA256(public), known + ":1",
		}},
	} {
		if err := os.WriteFile(known, []byte(test.known), 0o600); err != nil {
			t.Fatal(err)
		}
		a := f.begin(t, test.hosts, lostScenario)
		run := a.ends(t, result.StatusSetup)
		for _, want := range append(test.want, test.hosts+":1:1", s.Address) {
			if !strings.Contains(a.seen.String(), want) {
				t.Errorf("%s: the message lacks %q:\n%s", test.name, want, a.seen)
			}
		}
		if c := run.Clusters[0]; c.Error == "" || len(c.Phases) > 0 {
			t.Errorf("%s: cluster %+v", test.name, c)
		}
	}
}

// overIPv6 reaches the machines and their members by IPv6.
func overIPv6(t *testing.T, f *fleet) {
	g := *f
	m := *f.Machines
	g.Machines, m.Servers = &m, nil
	var config strings.Builder
	for i, s := range f.Servers {
		six := s.At(t, net.JoinHostPort(f.Six[i], "22"))
		config.WriteString(six.Entry())
		m.Servers = append(m.Servers, six)
	}
	g.home = sshtest.Home(t, config.String(), m.Servers...)
	hosts := g.file(t, "six.txt", func(s *sshtest.Server) string { return s.Address })
	a := g.begin(t, hosts, "../../scenarios/write-1m.star", "--small")
	c := a.ends(t, result.StatusOK).Clusters[0]
	for i, member := range c.Members {
		if member.Host != f.Six[i] || !strings.HasPrefix(member.Endpoint, "["+f.Six[i]+"]:") {
			t.Errorf("member %+v, want it on %s", member, f.Six[i])
		}
	}
	for _, s := range c.Phases[0].Steps {
		counted(t, s)
		sampledOnHosts(t, s.Usage, &g)
	}
}

// farAway reaches a machine over a path of 200 ms there and back, and the member
// on it directly. What its log says is brought back over the path.
func farAway(t *testing.T, f *fleet) {
	const delay = 100 * time.Millisecond // each way
	near := f.Servers[0]
	far := near.At(t, sshtest.NewRelay(t, near.Endpoint(), delay).Address)
	g := *f
	g.home = sshtest.Home(t, fmt.Sprintf("Host far\n  HostName %s\n  Port %d\n  User %s\n  IdentityFile %s\n", far.Address, far.Port, far.User, far.Key), far)
	hosts := filepath.Join(g.home, "far.txt")
	if err := os.WriteFile(hosts, []byte("far ip="+near.Address+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := g.begin(t, hosts, lostScenario, "--set", "seconds=4", "--set", "nodes=1", "--set", "snapshots=200")
	c := a.ends(t, result.StatusOK).Clusters[0]
	if len(c.Clocks) != 2 {
		t.Errorf("clocks %+v", c.Clocks)
	}
	for _, clock := range c.Clocks { // it is one clock, seen from afar
		if clock.Offset.Abs() > clock.Bound || clock.Bound < delay {
			t.Errorf("offset %v of %s, give or take %v", clock.Offset, clock.Host, clock.Bound)
		}
	}
	if !strings.Contains(a.seen.String(), "too unsure to compare its times with ours") {
		t.Errorf("that the clocks are not known well is not said:\n%s", a.seen)
	}
	p := c.Phases[0]
	counted(t, p.Steps[0])
	for _, u := range p.Steps[0].Usage.Members {
		if u.Host != "far" || !u.CPUSeconds.OK() || !u.MaxRSS.OK() {
			t.Errorf("usage %+v", u)
		}
	}
	markersOfLogs(t, &c, a)
}

// markersOfLogs holds the counts of the markers against the logs that were
// brought back.
func markersOfLogs(t *testing.T, c *result.Cluster, a *attempt) {
	t.Helper()
	const label = "snapshots"
	pattern := regexp.MustCompile("saved snapshot|applied snapshot")
	total := 0
	for _, m := range c.Members {
		log, err := os.ReadFile(filepath.Join(a.out, "logs", c.Label, m.Name+".etcd.log"))
		if err != nil {
			t.Fatal(err)
		}
		want := len(pattern.FindAll(log, -1))
		i := slices.IndexFunc(c.Phases[0].Markers, func(k result.MarkerCount) bool { return k.Member == m.Name && k.Label == label })
		if i < 0 || c.Phases[0].Markers[i].Count != want || want == 0 {
			t.Errorf("%s: markers %+v, and %d lines of its log", m.Name, c.Phases[0].Markers, want)
		}
		total += want
	}
	rows := table(a.seen.String())
	if !slices.ContainsFunc(rows, func(r []string) bool { return r[0] == "marker "+label && r[1] == fmt.Sprint(total) }) {
		t.Errorf("the table does not show %d snapshots:\n%s", total, a.seen)
	}
}

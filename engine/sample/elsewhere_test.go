package sample_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/kvscen/kvscen/engine/sample"
	"github.com/kvscen/kvscen/internal/procfs"
	"github.com/kvscen/kvscen/internal/procfs/proctest"
)

// TestOtherHosts: each member is counted on its own machine and by that machine's
// clock, and one that does not answer is a gap for itself alone.
func TestOtherHosts(t *testing.T) {
	if _, err := procfs.Local(); err != nil {
		t.Skip(err)
	}
	here, far, dead := proctest.NewHost(t), proctest.NewHost(t), proctest.NewHost(t)
	var silent bool
	dead.OnFetch = func([]string) error {
		if silent {
			return errors.New("gone fishing")
		}
		return nil
	}
	pid := func() []int { return []int{70} }
	for _, h := range []*proctest.Host{far, dead} {
		h.Set(proctest.Process{PID: 70, Own: 100, RSS: 4096, Threads: []proctest.Thread{{ID: 70}}})
	}
	s := start(t, sample.Config{
		Interval: time.Hour, Source: here,
		Members: []sample.Member{{Name: "m1", Host: "far", PIDs: pid}, {Name: "m2", Host: "dead", PIDs: pid}, {Name: "m3", Host: "unread", PIDs: pid}},
		Hosts: []sample.Host{
			{Name: "far", Source: far, Interface: "lo", Devices: []string{"sda"}},
			{Name: "dead", Source: dead, NoDisk: errors.New("tmpfs")},
		},
	})
	a := s.Edge()
	far.Write("uptime", "110.00 150.00\n")
	far.Set(proctest.Process{PID: 70, Own: 600, RSS: 8192, Threads: []proctest.Thread{{ID: 70}}})
	far.Write("net/dev", "Inter-| Receive | Transmit\n face |bytes\n    lo: 500 0 0 0 0 0 0 0 700 0 0 0 0 0 0 0\n")
	silent = true
	u := s.Between(a, s.Edge())
	m1, m2, m3 := u.Members[0], u.Members[1], u.Members[2]
	if m1.Host != "far" || m1.CPUSeconds.V != 5 || m1.MaxCPU.V != 50 || m1.MaxRSS.V != 8<<20 {
		t.Errorf("m1 used %+v", m1)
	}
	if m2.CPUSeconds.OK() || m2.CPUSeconds.Reason == "" || m3.CPUSeconds.OK() {
		t.Errorf("m2 used %+v, m3 %+v", m2, m3)
	}
	if len(u.Hosts) != 4 {
		t.Fatalf("hosts %+v", u.Hosts)
	}
	if h := u.Hosts[1]; h.Name != "far" || h.RX.V != 500 || h.TX.V != 700 || h.Device != "sda" || !h.SectorsWritten.OK() || math.IsNaN(h.RX.V) {
		t.Errorf("far: %+v", h)
	}
	if h := u.Hosts[2]; h.Name != "dead" || h.RX.OK() || h.SectorsWritten.OK() {
		t.Errorf("dead: %+v", h)
	}
	if h := u.Hosts[3]; h.Name != "unread" || h.RX.OK() {
		t.Errorf("unread: %+v", h)
	}
}

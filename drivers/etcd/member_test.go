package etcd

import (
	"fmt"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"go.etcd.io/etcd/client/pkg/v3/transport"
	"go.etcd.io/etcd/server/v3/embed"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/drivertest"
)

// member is a real etcd of one member in the test's own process.
type member struct {
	config *embed.Config
	etcd   *embed.Etcd
}

// startMember starts a member; tls, if not nil, secures its client port.
func startMember(t testing.TB, tls *drivertest.Certificates) *member {
	t.Helper()
	return startMemberAt(t, t.TempDir(), drivertest.Ports(t, 2), tls)
}

// startMemberAt starts a member in a folder, which may hold the data of an earlier
// one, on a port for clients and one for peers.
func startMemberAt(t testing.TB, dir string, ports []int, tls *drivertest.Certificates) *member {
	t.Helper()
	scheme := "http"
	c := embed.NewConfig()
	if tls != nil {
		scheme = "https"
		c.ClientTLSInfo = transport.TLSInfo{
			CertFile: tls.ServerCert, KeyFile: tls.ServerKey,
			TrustedCAFile: tls.CA, ClientCertAuth: true,
		}
	}
	client := url.URL{Scheme: scheme, Host: fmt.Sprintf("127.0.0.1:%d", ports[0])}
	peer := url.URL{Scheme: "http", Host: fmt.Sprintf("127.0.0.1:%d", ports[1])}
	c.Name, c.Dir = "m1", filepath.Join(dir, "data")
	c.LogLevel, c.LogOutputs = "error", []string{filepath.Join(dir, "log")}
	c.ListenClientUrls, c.AdvertiseClientUrls = []url.URL{client}, []url.URL{client}
	c.ListenPeerUrls, c.AdvertisePeerUrls = []url.URL{peer}, []url.URL{peer}
	c.InitialCluster = c.InitialClusterFromName(c.Name)
	c.TickMs, c.ElectionMs = 20, 200 // ready soon, and leases of one second
	c.UnsafeNoFsync = true           // what is tested is the client
	c.BcryptCost = 4
	m := &member{config: c}
	m.start(t)
	t.Cleanup(func() { m.etcd.Close() })
	return m
}

func (m *member) start(t testing.TB) {
	t.Helper()
	e, err := embed.StartEtcd(m.config)
	if err != nil {
		t.Fatalf("start etcd: %v", err)
	}
	m.etcd = e
	select {
	case <-e.Server.ReadyNotify():
	case <-time.After(2 * time.Minute):
		e.Close()
		t.Fatal("etcd is not ready after two minutes")
	}
}

// restart stops the member and returns what starts it again.
func (m *member) restart(t *testing.T) func() {
	m.etcd.Close()
	again := *m.config
	m.config = &again
	return func() { m.start(t) }
}

func (m *member) target() drivers.Target {
	return drivers.Target{Endpoint: m.config.ListenClientUrls[0].Host, Timeout: time.Minute}
}

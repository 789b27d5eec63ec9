package zookeeper

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/drivertest"
)

// nettyPath is what the class path needs beside the server for TLS: its jar does
// not name these two.
const nettyPath = installed + ":/usr/share/java/netty-codec.jar:/usr/share/java/netty-resolver.jar"

// startSecured starts a server that takes connections over TLS alone, from clients
// with a certificate.
func startSecured(t *testing.T, files *drivertest.Certificates) *server {
	t.Helper()
	return startWith(t, 1, setup{jars: nettyPath, tls: files.Client(), config: fmt.Sprintf(
		"secureClientPort=${port}\nsecureClientPortAddress=127.0.0.1\n4lw.commands.whitelist=*\n"+
			"serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory\nssl.clientAuth=need\n"+
			"ssl.keyStore.location=%s\nssl.trustStore.location=%s\n", files.ServerBundle, files.CA)})[0]
}

// TestSecured talks to a server that takes connections over TLS alone, from
// clients with a certificate.
func TestSecured(t *testing.T) {
	t.Parallel()
	s := startSecured(t, drivertest.NewCertificates(t))
	c := dial(t, s.target())
	if _, err := do(t, c, drivers.OpSpec{Kind: drivers.Put}, drivers.Op{Key: []byte("k"), Value: make([]byte, 100_000)}); err != nil {
		t.Errorf("put: %v", err)
	}
	if op, err := do(t, c, drivers.OpSpec{Kind: drivers.Get}, drivers.Op{Key: []byte("k")}); err != nil || op.Bytes != 100_001 {
		t.Errorf("get: %d bytes, %v", op.Bytes, err)
	}
	if st, err := c.Status(t.Context()); err != nil || st.Leader == "" || st.Version == "" {
		t.Errorf("status: %+v, %v", st, err)
	}
	if figures, err := New().Metrics(t.Context(), s.target()); err != nil || len(figures) == 0 {
		t.Errorf("metrics: %d, %v", len(figures), err)
	}
	for name, x := range map[string]struct {
		change func(*drivers.Target)
		want   string
	}{
		"unknown authority": {func(t *drivers.Target) { t.TLS.CA = "" }, "certificate"},
		"no certificate":    {func(t *drivers.Target) { t.TLS.Cert, t.TLS.Key = "", "" }, ""},
		"wrong server name": {func(t *drivers.Target) { t.TLS.ServerName = "elsewhere" }, "elsewhere"},
		"plain text":        {func(t *drivers.Target) { t.TLS = nil }, "TLS"},
		"missing file":      {func(t *drivers.Target) { t.TLS.CA = "no-such-file" }, "no-such-file"},
		"file without PEM":  {func(t *drivers.Target) { t.TLS.CA = "driver.go" }, "PEM"},
	} {
		target := s.target()
		tls := *target.TLS
		target.TLS, target.Timeout = &tls, time.Minute
		x.change(&target)
		conn, err := New().Dial(t.Context(), target)
		if err == nil {
			conn.Close()
			t.Errorf("%s: dial succeeded", name)
			continue
		}
		if text := err.Error(); !strings.Contains(text, x.want) || !strings.Contains(text, target.Endpoint) {
			t.Errorf("%s: error %q, want %q and the endpoint in it", name, text, x.want)
		}
	}
}

// TestUsers keeps a user's nodes from others, also after a new TCP connection.
func TestUsers(t *testing.T) {
	t.Parallel()
	open := startServers(t, 1)[0].target()
	alice := open
	alice.User, alice.Password, alice.Options = "alice", "secret", map[string]any{"acl": "user", "root": "alice"}
	bob, wrong, nobody := alice, alice, open
	bob.User, wrong.Password = "bob", "guessed"
	nobody.Options = map[string]any{"root": "alice"}
	put, get := drivers.OpSpec{Kind: drivers.Put}, drivers.OpSpec{Kind: drivers.Get}
	c := dial(t, alice)
	for range 2 {
		if _, err := do(t, c, put, drivers.Op{Key: []byte("a/b")}); err != nil {
			t.Fatalf("put: %v", err)
		}
		if op, err := do(t, c, get, drivers.Op{Key: []byte("a/b")}); err != nil || !op.Found {
			t.Errorf("get: found %v, %v", op.Found, err)
		}
		renew(t, c)
	}
	for name, target := range map[string]drivers.Target{"another user": bob, "another password": wrong, "no user": nobody} {
		other := dial(t, target)
		for _, spec := range []drivers.OpSpec{put, get, {Kind: drivers.Delete}, {Kind: drivers.ListChildren}} {
			if _, err := do(t, other, spec, drivers.Op{Key: []byte("a/b")}); drivers.ClassOf(err) != drivers.Refused {
				t.Errorf("%s: %v: %v, want refused", name, spec.Kind, err)
			}
		}
	}
}

package consul

import (
	"maps"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

const rootToken = "6a1253d2-1785-24fd-91c2-f8e78c745511" // made up; of the test's server alone

// startSecured starts a server that takes requests over TLS alone, from clients
// with a certificate and a token.
func startSecured(t testing.TB) *member {
	t.Helper()
	m := newMember(t)
	for _, args := range [][]string{{"ca", "create"}, {"cert", "create", "-server"}, {"cert", "create", "-client"}} {
		c := exec.Command(m.program, append([]string{"tls"}, args...)...)
		c.Dir = m.dir
		if text, err := c.CombinedOutput(); err != nil {
			t.Fatalf("make certificates: %v: %s", err, text)
		}
	}
	file := func(name string) string { return filepath.Join(m.dir, name+".pem") }
	m.scheme, m.ports["https"], m.ports["http"] = "https", m.ports["http"], -1
	maps.Copy(m.settings, map[string]any{
		"ca_file":         file("consul-agent-ca"),
		"cert_file":       file("dc1-server-consul-0"),
		"key_file":        file("dc1-server-consul-0-key"),
		"verify_incoming": true,
		"acl": map[string]any{
			"enabled": true, "default_policy": "deny",
			"tokens": map[string]any{"master": rootToken, "agent": rootToken},
		},
	})
	m.base = drivers.Target{Password: rootToken, TLS: &drivers.TLS{
		CA: file("consul-agent-ca"), Cert: file("dc1-client-consul-0"), Key: file("dc1-client-consul-0-key"),
	}}
	m.settle(t)
	return m
}

func TestSecured(t *testing.T) {
	t.Parallel()
	m := startSecured(t)
	c := dial(t, m.target())
	write(t, c, "k")
	if _, err := c.Status(t.Context()); err != nil {
		t.Errorf("status: %v", err)
	}
	if figures, err := New().Metrics(t.Context(), m.target()); err != nil || len(figures) == 0 {
		t.Errorf("metrics: %d, %v", len(figures), err)
	}
	for name, x := range map[string]struct {
		change func(*drivers.Target)
		want   string
	}{
		"unknown token":     {func(t *drivers.Target) { t.Password = "unknown" }, "token"},
		"a user":            {func(t *drivers.Target) { t.User = "root" }, "no users"},
		"unknown authority": {func(t *drivers.Target) { t.TLS.CA = "" }, "certificate"},
		"no certificate":    {func(t *drivers.Target) { t.TLS.Cert, t.TLS.Key = "", "" }, ""},
		"wrong server name": {func(t *drivers.Target) { t.TLS.ServerName = "elsewhere" }, "elsewhere"},
		"plain text":        {func(t *drivers.Target) { t.TLS = nil }, ""},
		"missing file":      {func(t *drivers.Target) { t.TLS.CA = "no-such-file" }, "no-such-file"},
		"file without PEM":  {func(t *drivers.Target) { t.TLS.CA = "driver.go" }, "PEM"},
	} {
		target := m.target()
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
	none := m.target()
	none.Password = ""
	err := do(t, dial(t, none), drivers.OpSpec{Kind: drivers.Put}, &drivers.Op{Key: []byte("k")})
	if drivers.ClassOf(err) != drivers.Refused {
		t.Errorf("a put without a token: %v, want class refused", err)
	}
}

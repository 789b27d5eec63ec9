package cassandra

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// made up; of the test's server alone
const storePassword = "changeit"

// startSecured starts a member that takes users over TLS alone. The user is the
// one that a new cluster has by itself.
func startSecured(t testing.TB) *server {
	t.Helper()
	needServer(t)
	dir := t.TempDir()
	keys, authority := filepath.Join(dir, "keys"), filepath.Join(dir, "ca.pem")
	for _, args := range [][]string{
		{"-genkeypair", "-alias", "m1", "-keyalg", "RSA", "-keysize", "2048", "-validity", "2", "-dname", "CN=m1", "-ext", "san=ip:127.0.0.1", "-keypass", storePassword},
		{"-exportcert", "-alias", "m1", "-rfc", "-file", authority},
	} {
		args = append(args, "-keystore", keys, "-storepass", storePassword, "-storetype", "JKS", "-noprompt")
		if text, err := exec.Command("keytool", args...).CombinedOutput(); err != nil {
			t.Fatalf("make a certificate: %v: %s", err, text)
		}
	}
	s := startServers(t, 1, fmt.Sprintf(`authenticator: PasswordAuthenticator
authorizer: CassandraAuthorizer
client_encryption_options:
    enabled: true
    keystore: %s
    keystore_password: %s
    protocol: TLSv1.2
    cipher_suites: [TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256]
`, keys, storePassword))[0]
	s.base = drivers.Target{User: "cassandra", Password: "cassandra", TLS: &drivers.TLS{CA: authority}}
	return s
}

func TestSecured(t *testing.T) {
	s := startSecured(t)
	var c drivers.Conn
	var err error
	// The user is made some time after the start.
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if c, err = New().Dial(t.Context(), s.target()); err == nil {
			defer c.Close()
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := do(t, c, drivers.OpSpec{Kind: drivers.Put}, &drivers.Op{Key: []byte("k"), Value: make([]byte, 1<<20)}); err != nil {
		t.Errorf("put: %v", err)
	}
	if figures, err := New().Metrics(t.Context(), s.target()); err != nil || len(figures) == 0 {
		t.Errorf("metrics: %d, %v", len(figures), err)
	}
	for name, x := range map[string]struct {
		change func(*drivers.Target)
		want   string
	}{
		"wrong password":    {func(t *drivers.Target) { t.Password = "wrong" }, "password"},
		"no user":           {func(t *drivers.Target) { t.User = "" }, "authentication"},
		"unknown authority": {func(t *drivers.Target) { t.TLS.CA = "" }, "certificate"},
		"wrong server name": {func(t *drivers.Target) { t.TLS.ServerName = "elsewhere" }, "elsewhere"},
		"plain text":        {func(t *drivers.Target) { t.TLS = nil }, ""},
		"missing file":      {func(t *drivers.Target) { t.TLS.CA = "no-such-file" }, "no-such-file"},
		"file without PEM":  {func(t *drivers.Target) { t.TLS.CA = "driver.go" }, "PEM"},
	} {
		target := s.target()
		tls := *target.TLS
		target.TLS, target.Timeout = &tls, time.Minute
		if name == "plain text" {
			target.Timeout = time.Second // nobody answers
		}
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

package etcdv2

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/drivertest"
)

// startSecured starts a member that takes requests over TLS alone, from the user
// root alone.
func startSecured(t *testing.T) *member {
	t.Helper()
	m := newMember(t)
	c := drivertest.NewCertificates(t)
	m.scheme, m.flags = "https", []string{"--cert-file", c.ServerCert, "--key-file", c.ServerKey}
	m.base = drivers.Target{TLS: &drivers.TLS{CA: c.CA}}
	m.start(t)
	m.base.User, m.base.Password = "root", "secret"
	m.admin(t, http.MethodPut, "/v2/auth/users/root", `{"user": "root", "password": "secret"}`)
	m.admin(t, http.MethodPut, "/v2/auth/enable", "")
	m.admin(t, http.MethodDelete, "/v2/auth/roles/guest", "") // whom anybody is
	return m
}

// admin sends a request that sets users up.
func (m *member) admin(t *testing.T, method, path, body string) {
	t.Helper()
	c, err := connect(m.target())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	request, err := http.NewRequestWithContext(t.Context(), method, c.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	c.authenticate(request)
	reply, err := c.transport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	reply.Body.Close()
	if reply.StatusCode >= 300 {
		t.Fatalf("%s %s: %s", method, path, reply.Status)
	}
}

func TestSecured(t *testing.T) {
	m := startSecured(t)
	for name, x := range map[string]struct {
		change func(*drivers.Target)
		dial   string        // error of Dial; empty: none
		class  drivers.Class // of each request, where dial is empty
		done   bool          // they are carried out
	}{
		"root":              {func(*drivers.Target) {}, "", 0, true},
		"nobody":            {func(t *drivers.Target) { t.User, t.Password = "", "" }, "", drivers.Refused, false},
		"wrong password":    {func(t *drivers.Target) { t.Password = "guess" }, "", drivers.Refused, false},
		"no user":           {func(t *drivers.Target) { t.User = "" }, "without a user", 0, false},
		"unknown authority": {func(t *drivers.Target) { t.TLS = &drivers.TLS{} }, "certificate", 0, false},
		"unchecked":         {func(t *drivers.Target) { t.TLS = &drivers.TLS{Insecure: true} }, "", 0, true},
		"plain text":        {func(t *drivers.Target) { t.TLS = nil }, "GET /version", 0, false},
		"missing file":      {func(t *drivers.Target) { t.TLS = &drivers.TLS{CA: "no-such-file"} }, "no-such-file", 0, false},
		"file without PEM":  {func(t *drivers.Target) { t.TLS = &drivers.TLS{CA: "driver.go"} }, "PEM", 0, false},
	} {
		target := m.target()
		x.change(&target)
		conn, err := New().Dial(t.Context(), target)
		if x.dial != "" {
			if err == nil || !strings.Contains(err.Error(), x.dial) || !strings.Contains(err.Error(), m.client) {
				t.Errorf("%s: dial: %v, want %q and the endpoint", name, err, x.dial)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: dial: %v", name, err)
			continue
		}
		defer conn.Close()
		specs := []drivers.OpSpec{{Kind: drivers.Put}, {Kind: drivers.Get, Consistency: byQuorum}, {Kind: drivers.Scan, Consistency: byDefault}, {Kind: drivers.Exists, Consistency: byDefault}}
		client, err := conn.Client(specs)
		if err != nil {
			t.Fatal(err)
		}
		for i, spec := range specs {
			op := drivers.Op{Spec: i, Key: []byte("dir/k"), Deadline: time.Now().Add(time.Minute)}
			err := client.Do(t.Context(), &op)
			if (err == nil) != x.done || err != nil && drivers.ClassOf(err) != x.class {
				t.Errorf("%s, %v: %v, want done = %v or class %v", name, spec.Kind, err, x.done, x.class)
			}
		}
	}
	if figures, err := New().Metrics(t.Context(), m.target()); err != nil || figures["store_sets_count"].Value == 0 || !figures["store_sets_count"].Counter {
		t.Errorf("metrics: %d figures, %v", len(figures), err)
	}
}

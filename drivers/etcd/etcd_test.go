package etcd

import (
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/drivertest"
)

func TestConformance(t *testing.T) {
	p := startProcess(t)
	drivertest.Run(t, harness(p, p.target()))
}

func TestConformanceSecured(t *testing.T) {
	certs := drivertest.NewCertificates(t)
	m := startMember(t, certs)
	target := m.target()
	target.TLS = certs.Client()
	enableAuth(t, target, "root", "secret")
	target.User, target.Password = "root", "secret"
	drivertest.Run(t, harness(m, target))
}

// server is a member that the suite may restart, and look into.
type server interface {
	restart(t *testing.T) (start func())
	count(t *testing.T, target drivers.Target, prefix []byte) int
}

func harness(m server, target drivers.Target) drivertest.Harness {
	return drivertest.Harness{
		Driver:  New(),
		Target:  func(*testing.T) drivers.Target { return target },
		Network: true,
		Restart: m.restart,
		Count:   m.count,
	}
}

// enableAuth makes a root user and lets nobody else in.
func enableAuth(t testing.TB, target drivers.Target, user, password string) {
	t.Helper()
	c := dial(t, target)
	ctx := t.Context()
	_, err := c.client.UserAdd(ctx, user, password)
	if err == nil {
		_, err = c.client.UserGrantRole(ctx, user, "root")
	}
	if err == nil {
		_, err = c.client.AuthEnable(ctx)
	}
	if err != nil {
		t.Fatalf("enable authentication: %v", err)
	}
}

func dial(t testing.TB, target drivers.Target) *conn {
	t.Helper()
	c, err := New().Dial(t.Context(), target)
	if err != nil {
		t.Fatalf("dial: %v", err)
	}
	t.Cleanup(func() { c.Close() })
	return c.(*conn)
}

func TestDialRefusals(t *testing.T) {
	certs := drivertest.NewCertificates(t)
	m := startMember(t, certs)
	good := m.target()
	good.TLS = certs.Client()
	enableAuth(t, good, "root", "secret")
	good.User, good.Password = "root", "secret"
	dial(t, good)
	named, name := good, *good.TLS
	named.Endpoint = strings.Replace(named.Endpoint, "127.0.0.1", "localhost", 1)
	name.ServerName = "127.0.0.1"
	named.TLS = &name
	dial(t, named) // the certificate knows no localhost
	for name, c := range map[string]struct {
		change func(*drivers.Target)
		want   string
	}{
		"wrong password":     {func(t *drivers.Target) { t.Password = "wrong" }, "authentication failed"},
		"no password":        {func(t *drivers.Target) { t.Password = "" }, "password"},
		"unknown user":       {func(t *drivers.Target) { t.User = "nobody" }, "authentication failed"},
		"unknown authority":  {func(t *drivers.Target) { t.TLS.CA = "" }, "certificate"},
		"no certificate":     {func(t *drivers.Target) { t.TLS.Cert, t.TLS.Key = "", "" }, ""},
		"endpoint not in it": {func(t *drivers.Target) { t.Endpoint = named.Endpoint }, "certificate"},
		"wrong server name":  {func(t *drivers.Target) { t.TLS.ServerName = "elsewhere" }, "elsewhere"},
		"plain text":         {func(t *drivers.Target) { t.TLS = nil }, "it ended the connection without an answer: perhaps it wants TLS"},
		"missing file":       {func(t *drivers.Target) { t.TLS.CA = "no-such-file" }, "no-such-file"},
		"file without PEM":   {func(t *drivers.Target) { t.TLS.CA = "driver.go" }, "PEM"},
		"negative option":    {func(t *drivers.Target) { t.Options = map[string]any{"max_send": int64(-1)} }, "max_send"},
		"url":                {func(t *drivers.Target) { t.Endpoint = "http://" + t.Endpoint }, "want host:port"},
		"endpoint of a name": {func(t *drivers.Target) { t.Endpoint = "localhost" }, "want host:port"},
	} {
		t.Run(name, func(t *testing.T) {
			target, tls := good, *good.TLS
			target.TLS = &tls
			c.change(&target)
			conn, err := New().Dial(t.Context(), target)
			if err == nil {
				conn.Close()
				t.Fatal("dial succeeded")
			}
			if text := err.Error(); !strings.Contains(text, c.want) || !strings.Contains(text, target.Endpoint) {
				t.Errorf("error %q, want %q and the endpoint in it", text, c.want)
			}
		})
	}
}

// TestTokenLost lets a member forget its tokens, as a restart does.
func TestTokenLost(t *testing.T) {
	m := startMember(t, nil)
	target := m.target()
	early := target
	early.User, early.Password = "root", "secret"
	if _, err := New().Dial(t.Context(), early); err == nil || !strings.Contains(err.Error(), "not enabled") {
		t.Errorf("dial with a user where there are none: %v", err)
	}
	enableAuth(t, target, "root", "secret")
	if _, err := New().Dial(t.Context(), target); err == nil || !strings.Contains(err.Error(), "user name is empty") {
		t.Errorf("dial without a user: %v, want a word of the missing user", err)
	}
	target.User, target.Password = "root", "secret"
	c := dial(t, target)
	client, err := c.Client([]drivers.OpSpec{{Kind: drivers.Put}})
	if err != nil {
		t.Fatal(err)
	}
	m.restart(t)()
	op := drivers.Op{Key: []byte("k"), Deadline: time.Now().Add(time.Minute)}
	if err := client.Do(t.Context(), &op); err != nil {
		t.Fatalf("put after the token was lost: %v", err)
	}
	if op.Attempts != 3 {
		t.Errorf("attempts = %d, want 3: put, log in, put", op.Attempts)
	}
}

// TestOneConnection counts the TCP connections that clients open.
func TestOneConnection(t *testing.T) {
	m := startMember(t, nil)
	target := m.target()
	var accepted atomic.Int64
	target.Endpoint = countingProxy(t, target.Endpoint, &accepted)
	const conns, clients = 5, 20
	var wg sync.WaitGroup
	for range conns {
		c := dial(t, target)
		for range clients {
			client, err := c.Client([]drivers.OpSpec{{Kind: drivers.Get, Consistency: linearizable}})
			if err != nil {
				t.Fatal(err)
			}
			wg.Go(func() {
				if err := client.Do(t.Context(), &drivers.Op{Key: []byte("k")}); err != nil {
					t.Error(err)
				}
			})
		}
	}
	wg.Wait()
	if got := accepted.Load(); got != conns {
		t.Errorf("%d connections are %d TCP connections", conns, got)
	}
}

// countingProxy passes connections on to addr and counts them.
func countingProxy(t *testing.T, addr string, accepted *atomic.Int64) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			accepted.Add(1)
			to, err := net.Dial("tcp", addr)
			if err != nil {
				from.Close()
				continue
			}
			go func() { io.Copy(to, from); to.Close() }()
			go func() { io.Copy(from, to); from.Close() }()
		}
	}()
	return l.Addr().String()
}

func TestFailFast(t *testing.T) {
	m := startMember(t, nil)
	for _, fast := range []bool{true, false} {
		target := m.target()
		target.Options = map[string]any{"fail_fast": fast}
		c := dial(t, target)
		client, err := c.Client([]drivers.OpSpec{{Kind: drivers.Get}})
		if err != nil {
			t.Fatal(err)
		}
		start := m.restart(t)
		const limit = time.Second
		soon := 0
		for range 10 { // the first may still see the connection end, and a busy machine be late
			begin := time.Now()
			err = client.Do(context.Background(), &drivers.Op{Key: []byte("k"), Deadline: begin.Add(limit)})
			if time.Since(begin) < limit/2 {
				soon++
			}
			if drivers.ClassOf(err) == drivers.Unavailable && fast == (soon > 0) {
				break
			}
		}
		if drivers.ClassOf(err) != drivers.Unavailable || err == nil {
			t.Errorf("fail_fast = %v: error %v, want class unavailable", fast, err)
		}
		if fast != (soon > 0) {
			t.Errorf("fail_fast = %v: %d requests failed long before their deadline", fast, soon)
		}
		start()
	}
}

package consul

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// agentOf is an agent that leads and answers everything else by handle.
func agentOf(t *testing.T, handle http.HandlerFunc) (drivers.Target, *atomic.Int64) {
	t.Helper()
	var accepted atomic.Int64
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/status/leader" {
			w.Write([]byte(`"127.0.0.1:8300"`))
			return
		}
		handle(w, r)
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			accepted.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	return drivers.Target{Endpoint: s.Listener.Addr().String(), Timeout: time.Minute}, &accepted
}

// TestEnvironment sets what the library would read.
func TestEnvironment(t *testing.T) {
	for name, value := range map[string]string{
		"CONSUL_HTTP_ADDR": "127.0.0.1:1", "CONSUL_HTTP_SSL": "true", "CONSUL_HTTP_TOKEN": "secret",
		"CONSUL_HTTP_TOKEN_FILE": "no-such-file", "CONSUL_HTTP_AUTH": "user:password",
		"CONSUL_NAMESPACE": "elsewhere", "CONSUL_PARTITION": "elsewhere", "CONSUL_CACERT": "no-such-file",
		"HTTP_PROXY": "http://127.0.0.1:1", "http_proxy": "http://127.0.0.1:1",
	} {
		t.Setenv(name, value)
	}
	target, _ := agentOf(t, func(w http.ResponseWriter, r *http.Request) {
		if token := r.Header.Get("X-Consul-Token") + r.Header.Get("Authorization"); token != "" || r.URL.RawQuery != "" {
			t.Errorf("%s %s came with the token %q", r.Method, r.URL, token)
		}
		w.Write([]byte("true"))
	})
	write(t, dial(t, target), "k")
}

func TestConnections(t *testing.T) {
	const clients = 6
	for most, want := range map[int64]int64{1: 1, 3: 3, 0: clients} {
		var together sync.WaitGroup // as many requests as there may be at a time
		together.Add(int(want))
		var seen atomic.Int64
		target, accepted := agentOf(t, func(w http.ResponseWriter, _ *http.Request) {
			if seen.Add(1) <= want {
				together.Done()
				together.Wait()
			}
			w.Write([]byte("true"))
		})
		target.Options = map[string]any{maxConnections: most}
		c := dial(t, target)
		var wg sync.WaitGroup
		for range clients {
			wg.Go(func() {
				if err := do(t, c, drivers.OpSpec{Kind: drivers.Put}, &drivers.Op{Key: []byte("k")}); err != nil {
					t.Errorf("%s = %d: %v", maxConnections, most, err)
				}
			})
		}
		wg.Wait()
		if got := accepted.Load(); got != want {
			t.Errorf("%s = %d: %d TCP connections, want %d", maxConnections, most, got, want)
		}
	}
}

// TestNothingHidden breaks connections under requests, which net/http likes to
// repeat, and compares what came to the agent with Op.Attempts.
func TestNothingHidden(t *testing.T) {
	var came atomic.Int64
	target, _ := agentOf(t, func(w http.ResponseWriter, _ *http.Request) {
		came.Add(1)
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Errorf("hijack: %v", err)
			return
		}
		conn.Close()
	})
	for _, kind := range []drivers.Kind{drivers.Get, drivers.Put, drivers.Delete} {
		came.Store(0)
		op := drivers.Op{Key: []byte("k")}
		err := do(t, dial(t, target), drivers.OpSpec{Kind: kind}, &op)
		if drivers.ClassOf(err) != drivers.Unavailable {
			t.Errorf("%v on a broken connection: %v, want class unavailable", kind, err)
		}
		if n := came.Load(); n == 0 || int64(op.Attempts) != n {
			t.Errorf("%v: %d attempts, but it came %d times", kind, op.Attempts, n)
		}
	}
}

// TestNotRedirected sees that a request never becomes another one.
func TestNotRedirected(t *testing.T) {
	target, _ := agentOf(t, func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/k") {
			t.Errorf("%s %s was sent", r.Method, r.URL)
		}
		http.Redirect(w, r, "/v1/kv/other", http.StatusMovedPermanently)
	})
	err := do(t, dial(t, target), drivers.OpSpec{Kind: drivers.Put}, &drivers.Op{Key: []byte("k")})
	if drivers.ClassOf(err) != drivers.Refused {
		t.Errorf("a redirected put: %v, want class refused", err)
	}
}

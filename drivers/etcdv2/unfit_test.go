package etcdv2

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/kvscen/kvscen/drivers"
)

// TestUnfit dials members that say their version and have no page of the v2 API.
func TestUnfit(t *testing.T) {
	for version, want := range map[string]string{
		"3.7.3": "etcd 3.7.3 has no v2 API, 3.5 was the last",
		"3.6.0": "etcd 3.6.0 has no v2 API",
		"4.0.0": "etcd 4.0.0 has no v2 API",
		"3.5.9": "etcd 3.5.9 serves the v2 API only if it is told to (--enable-v2)",
		"":      "--enable-v2",
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/version" {
				http.NotFound(w, r)
				return
			}
			w.Write([]byte(`{"etcdserver": "` + version + `"}`))
		}))
		_, err := New().Dial(t.Context(), drivers.Target{Endpoint: s.Listener.Addr().String()})
		if !errors.Is(err, drivers.ErrUnfit) || !strings.Contains(err.Error(), want) {
			t.Errorf("version %q: %v, want %q", version, err, want)
		}
		s.Close()
	}
}

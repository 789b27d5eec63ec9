package consul

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"github.com/kvscen/kvscen/drivers"
)

// count asks the agent for the keys with a prefix, over plain HTTP.
func count(t *testing.T, target drivers.Target, prefix []byte) int {
	t.Helper()
	u := url.URL{Scheme: "http", Host: target.Endpoint, Path: "/v1/kv/" + string(prefix), RawQuery: "keys&consistent"}
	reply, err := http.Get(u.String())
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	switch reply.StatusCode {
	case http.StatusNotFound:
		return 0
	case http.StatusOK:
	default:
		t.Fatalf("GET %s: %s", u.Path, reply.Status)
	}
	var keys []string
	if err := json.NewDecoder(reply.Body).Decode(&keys); err != nil {
		t.Fatal(err)
	}
	return len(keys)
}

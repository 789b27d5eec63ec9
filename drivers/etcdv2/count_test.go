package etcdv2

import (
	"encoding/json"
	"net/http"
	"net/url"
	"path"
	"testing"

	"github.com/kvscen/kvscen/drivers"
)

// node is one of the v2 API's tree.
type node struct {
	Dir   bool   `json:"dir"`
	Nodes []node `json:"nodes"`
}

func (n *node) keys() int {
	if !n.Dir {
		return 1
	}
	sum := 0
	for i := range n.Nodes {
		sum += n.Nodes[i].keys()
	}
	return sum
}

// count asks the member for the keys below a prefix that ends with a slash, over
// plain HTTP.
func count(t *testing.T, target drivers.Target, prefix []byte) int {
	t.Helper()
	u := url.URL{Scheme: "http", Host: target.Endpoint, Path: "/v2/keys" + path.Dir(pathOf(prefix)), RawQuery: "recursive=true&quorum=true"}
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
	var answer struct {
		Node node `json:"node"`
	}
	if err := json.NewDecoder(reply.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	return answer.Node.keys()
}

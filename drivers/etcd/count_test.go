package etcd

import (
	"testing"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/storage/mvcc"

	"github.com/kvscen/kvscen/drivers"
)

// count reads the member's own store for the keys with a prefix.
func (m *member) count(t *testing.T, _ drivers.Target, prefix []byte) int {
	t.Helper()
	r, err := m.etcd.Server.KV().Range(t.Context(), prefix, []byte(clientv3.GetPrefixRangeEnd(string(prefix))), mvcc.RangeOptions{CountOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	return r.Count
}

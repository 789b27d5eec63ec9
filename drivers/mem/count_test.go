package mem

import (
	"strings"
	"testing"

	"github.com/kvscen/kvscen/drivers"
)

// count looks into the table of a member for the keys with a prefix.
func (d *Driver) count(t *testing.T, target drivers.Target, prefix []byte) int {
	t.Helper()
	table, ok := d.members[target.Endpoint].store.(*table)
	if !ok {
		t.Fatalf("%s keeps nothing", target.Endpoint)
	}
	table.lockAll()
	defer table.unlockAll()
	n := 0
	for i := range table.shards {
		for key := range table.shards[i].entries {
			if strings.HasPrefix(key, string(prefix)) {
				n++
			}
		}
	}
	return n
}

package zookeeper

import (
	"path"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/kvscen/kvscen/drivers"
)

// count walks the nodes below a prefix that ends with a slash, by the library
// alone, and counts those without children: the keys.
func count(t *testing.T, target drivers.Target, prefix []byte) int {
	t.Helper()
	c, _, err := zk.Connect([]string{target.Endpoint}, 10*time.Second, zk.WithLogInfo(false), zk.WithLogger(quiet{}))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	s := settings{root: "/kvscen"} // the default
	top := path.Dir(s.path(prefix))
	if _, err := c.Sync(top); err != nil && err != zk.ErrNoNode {
		t.Fatal(err)
	}
	names, _, err := c.Children(top)
	if err == zk.ErrNoNode {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, name := range names {
		n += leaves(t, c, top+"/"+name)
	}
	return n
}

func leaves(t *testing.T, c *zk.Conn, node string) int {
	t.Helper()
	names, _, err := c.Children(node)
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		return 1
	}
	n := 0
	for _, name := range names {
		n += leaves(t, c, node+"/"+name)
	}
	return n
}

// quiet is a logger that says nothing.
type quiet struct{}

func (quiet) Printf(string, ...any) {}

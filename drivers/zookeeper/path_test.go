package zookeeper

import (
	"bytes"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"
)

func TestPath(t *testing.T) {
	for key, want := range map[string]string{
		"a":            "/a",
		"a/b c":        "/a/b c",
		"":             "/%",
		"/":            "/%/%",
		"a//b/":        "/a/%/b/%",
		".":            "/%2e",
		"a/../b":       "/a/%2e./b",
		"...":          "/...",
		"a.b":          "/a.b",
		"%":            "/%25",
		"\x00\x1f\x7f": "/%00%1f%7f",
		"ö":            "/%c3%b6",
		"zookeeper/a":  "/%7aookeeper/a",
		"a/zookeeper":  "/a/zookeeper",
	} {
		if got := (&settings{}).path([]byte(key)); got != want {
			t.Errorf("path of %q = %q, want %q", key, got, want)
		}
	}
	if got := (&settings{fanout: 7}).path([]byte("zookeeper")); got != "/1/zookeeper" {
		t.Errorf("path with a fanout of 7: %q", got)
	}
}

// FuzzPath checks that the library takes every path, and that no two keys have
// the same.
func FuzzPath(f *testing.F) {
	f.Add([]byte("a/../b"), []byte("a/%2e./b"))
	f.Add([]byte("//"), []byte("%/%"))
	c, _, err := zk.Connect([]string{"127.0.0.1:1"}, time.Second, zk.WithLogger(silence{}), zk.WithHostProvider(newMembers("127.0.0.1:1", nil, false)))
	if err != nil {
		f.Fatal(err)
	}
	c.Close() // the library looks at the path before it looks at the connection
	f.Fuzz(func(t *testing.T, a, b []byte) {
		s := &settings{}
		pa, pb := s.path(a), s.path(b)
		if (pa == pb) != bytes.Equal(a, b) {
			t.Errorf("keys %q and %q have the paths %q and %q", a, b, pa, pb)
		}
		if back := unescape(pa); !bytes.Equal(back, a) {
			t.Errorf("path %q stands for %q, want %q", pa, back, a)
		}
		if _, _, err := c.Exists(pa); err != zk.ErrConnectionClosed {
			t.Errorf("path %q of key %q: %v", pa, a, err)
		}
	})
}

// unescape reads a path back, by another way than it was made.
func unescape(path string) []byte {
	var key []byte
	for i := 1; i < len(path); i++ {
		switch {
		case path[i] != '%':
			key = append(key, path[i])
		case i+1 < len(path) && path[i+1] != '/':
			key = append(key, byte(bytes.IndexByte([]byte(hex), path[i+1])<<4|bytes.IndexByte([]byte(hex), path[i+2])))
			i += 2
		}
	}
	return key
}

package etcdv2

import (
	"fmt"
	"net/url"
	"strings"
)

// Keys of the v2 API are paths that the server cleans, kept as text, and hidden
// where a name begins with "_". What would not come back as it was is written
// as % and two hexadecimal digits. A slash parts directories, so that a key can't
// be both a value and the directory of others.
const (
	emptyName = "%"  // of a value
	emptyDir  = "%%" // of a directory: may stand beside that value
)

// pathOf is the path at which a key is stored.
func pathOf(key []byte) string {
	var b strings.Builder
	b.Grow(len(key) + 8)
	for rest := string(key); ; {
		name, after, dir := strings.Cut(rest, "/")
		b.WriteByte('/')
		switch {
		case name == "" && dir:
			b.WriteString(emptyDir)
		case name == "":
			b.WriteString(emptyName)
		default:
			writeName(&b, name)
		}
		if !dir {
			return b.String()
		}
		rest = after
	}
}

func writeName(b *strings.Builder, name string) {
	dots := name == "." || name == ".."
	for i := range len(name) {
		c := name[i]
		if c <= ' ' || c >= 0x7f || c == '%' || c == '_' && i == 0 || dots {
			fmt.Fprintf(b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
}

// dirOf is the path of the directory that holds all keys with a prefix.
func dirOf(prefix []byte) string {
	path := pathOf(prefix)
	return path[:max(strings.LastIndexByte(path, '/'), 1)]
}

// keyOf is the key that is stored at a path.
func keyOf(path string) string {
	var b strings.Builder
	for i, name := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		if i > 0 {
			b.WriteByte('/')
		}
		if name == emptyName || name == emptyDir {
			continue
		}
		text, err := url.PathUnescape(name)
		if err != nil {
			text = name // not written by us
		}
		b.WriteString(text)
	}
	return b.String()
}

// keyLen is how many bytes a key has that is stored at a path.
func keyLen(path string) int {
	n := 0
	for i, name := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		if i > 0 {
			n++ // the slash
		}
		if name != emptyName && name != emptyDir {
			n += len(name) - 2*strings.Count(name, "%")
		}
	}
	return n
}

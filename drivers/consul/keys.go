package consul

import (
	"path"
	"strings"
	"unicode"
)

// inPath reports whether a key can stand in the path of a URL. An agent takes
// no path but a clean one of printable characters, and the library drops a slash
// at the start: such keys are asked for in a transaction instead.
func inPath(key string) bool {
	for _, r := range key { // bytes that are no UTF-8 pass for printable
		if (r < ' ' || r > '~') && !unicode.IsPrint(r) {
			return false
		}
	}
	if strings.HasPrefix(key, "/") {
		return false
	}
	if !strings.HasPrefix(key, ".") && !strings.Contains(key, "//") && !strings.Contains(key, "/.") {
		return true
	}
	rooted := "/" + strings.TrimSuffix(key, "/")
	return path.Clean(rooted) == rooted
}

// commonPrefix is what all keys between two have in common.
func commonPrefix(a, b []byte) []byte {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

package zookeeper

import (
	"bytes"
	"strconv"
)

// pathRoom is what most paths fit in.
const pathRoom = 512

// path is the node of a key, below the root of all keys. Different keys have different paths.
func (s *settings) path(key []byte) string {
	var room [pathRoom]byte // on the stack: the path is allocated once, as the string
	buf := room[:0]
	buf = append(buf, s.root...)
	if s.fanout > 0 {
		buf = append(buf, '/')
		buf = strconv.AppendUint(buf, uint64(hash(key))%uint64(s.fanout), 10)
	}
	for name := range bytes.SplitSeq(key, slash) {
		buf = appendName(append(buf, '/'), name, len(buf) == 0)
	}
	return string(buf)
}

var slash = []byte{'/'} // never changed

const hex = "0123456789abcdef"

// appendName writes one level of a path. An empty one, which a path can't hold,
// becomes "%", which nothing else does.
func appendName(buf, name []byte, top bool) []byte {
	if len(name) == 0 {
		return append(buf, '%')
	}
	// The names that a path gives another meaning, and the one that the server
	// keeps for itself, are told apart by their first bytes.
	first := string(name) == "." || string(name) == ".." || top && string(name) == "zookeeper"
	if !first && isPlain(name) {
		return append(buf, name...)
	}
	for _, b := range name {
		if first || !plain(b) {
			buf = append(buf, '%', hex[b>>4], hex[b&15])
		} else {
			buf = append(buf, b)
		}
		first = false
	}
	return buf
}

// plain reports whether a byte stands for itself in a path.
func plain(b byte) bool { return b >= ' ' && b <= '~' && b != '%' }

func isPlain(name []byte) bool {
	for _, b := range name {
		if !plain(b) {
			return false
		}
	}
	return true
}

// parents gives the paths above a path, from the top.
func parents(path string) []string {
	var list []string
	for i := 1; i < len(path); i++ {
		if path[i] == '/' {
			list = append(list, path[:i])
		}
	}
	return list
}

// hash is FNV-1a: the same in every process, unlike Go's own.
func hash(key []byte) uint32 {
	h := uint32(2166136261)
	for _, b := range key {
		h = (h ^ uint32(b)) * 16777619
	}
	return h
}

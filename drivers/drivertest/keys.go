package drivertest

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/kvscen/kvscen/drivers"
)

// longKey is a length of keys, in bytes, that every store takes.
const longKey = 4096

// oddNames are keys that stores, paths and URLs like to take for one another, or
// for something else than a key. None is a directory of another, which stores of
// trees can't have.
func oddNames() []string {
	var names []string
	for _, end := range []string{
		"", "\x00", "\x00\x00", "a\x00", "\xff", "\xff\xff", "\xc3\x28", "\xef\xbf\xbd", "\x7f",
		".", "..", " ", "  ", "+", "%", "%%", "%00", "%20", "%2f", "%2F", "%25", "?a=b", "#", "a&b", ";", "a\nb", "\r\n", "\t", "\"", "\\", "'",
		"a", "A", "Größe 鍵 🔑", "e\u0301", "\u00e9",
	} {
		names = append(names, "odd"+end)
	}
	long := strings.Repeat("k", longKey-200) // the suite's prefix comes before it
	return append(names,
		"a/b", "a//b", "a/./b", "a/c/../b", "a/b.", "d/", "/e", "//e", ".", "..", "_a", "zookeeper",
		long, long+"1", long+"2")
}

// testOddKeys writes odd keys, reads them, and removes some: each is there as it
// was written, and apart from all others. Only what is no text may be refused.
func testOddKeys(s *suite) {
	s.needs(drivers.Put, drivers.Get)
	held := map[string][]byte{}
	for i, name := range oddNames() {
		value := fmt.Appendf(nil, "value %d", i)
		held[name] = nil
		if s.taken(drivers.Put, drivers.Op{Key: s.key(name), Value: value}) {
			held[name] = value
		}
	}
	check := func() {
		for _, name := range oddNames() {
			s.holds(s.key(name), held[name])
		}
	}
	check()
	if s.spec.Op(drivers.Delete) == nil {
		return
	}
	for i, name := range oddNames() {
		if i%2 == 0 && s.taken(drivers.Delete, drivers.Op{Key: s.key(name)}) {
			held[name] = nil
		}
	}
	check()
}

// taken carries out a request and reports whether the store took its key.
func (s *suite) taken(kind drivers.Kind, op drivers.Op) bool {
	s.Helper()
	_, err := s.try(s.op(kind), op)
	if err == nil {
		return true
	}
	if utf8.Valid(op.Key) || drivers.ClassOf(err) != drivers.Refused {
		s.Errorf("%v %q: %v", kind, op.Key, err)
	}
	return false
}

func testKeyLimit(s *suite) {
	s.needs(drivers.Put, drivers.Get)
	limit := int(s.spec.Limits.Key)
	if limit == 0 {
		s.Skipf("%s declares no limit of keys", s.spec.Name)
	}
	key := s.key("")
	key = append(key, bytes.Repeat([]byte("k"), limit-len(key))...)
	s.put(key, []byte("v"))
	s.holds(key, []byte("v"))
	long := append(key, make([]byte, margin)...)
	_, err := s.try(s.op(drivers.Put), drivers.Op{Key: long, Value: []byte("w")})
	s.failsAs(err, drivers.TooLarge)
	s.holds(key, []byte("v"))
}

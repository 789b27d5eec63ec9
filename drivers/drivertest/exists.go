package drivertest

import (
	"bytes"

	"github.com/kvscen/kvscen/drivers"
)

// testExists looks for keys that are there, never were, and are there no more.
// A store may count the key as read, but not the value.
func testExists(s *suite) {
	s.needs(drivers.Put)
	s.eachRead(drivers.Exists, func(s *suite, exists drivers.OpSpec) {
		key := s.key("there")
		look := func(what string, key []byte, want bool) {
			s.Helper()
			op := s.run(exists, drivers.Op{Key: key})
			if op.Found != want {
				s.Errorf("%s: found %v, want %v", what, op.Found, want)
			}
			if op.Count > 1 || op.Bytes > int64(len(key)) {
				s.Errorf("%s: count %d, bytes %d; no value is to be read", what, op.Count, op.Bytes)
			}
		}
		look("before it was written", key, false)
		s.put(key, bytes.Repeat([]byte("value"), 1000))
		look("after it was written", key, true)
		look("the beginning of a key", key[:len(key)-1], false)
		look("a longer key", append(bytes.Clone(key), 'x'), false)
		s.put(s.key("empty"), nil)
		look("with an empty value", s.key("empty"), true)
		if s.spec.Op(drivers.Delete) != nil {
			s.run(s.op(drivers.Delete), drivers.Op{Key: key})
			look("after it was deleted", key, false)
		}
	})
}

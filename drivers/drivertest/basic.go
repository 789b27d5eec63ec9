package drivertest

import (
	"bytes"
	"testing"

	"github.com/kvscen/kvscen/drivers"
)

func testPutGetDelete(s *suite) {
	s.needs(drivers.Put, drivers.Get)
	s.eachRead(drivers.Get, func(s *suite, get drivers.OpSpec) {
		get.Keep = true
		key, value := s.key("a"), []byte("one")

		op := s.run(get, drivers.Op{Key: key})
		if op.Found || op.Count != 0 || op.Bytes != 0 {
			s.Errorf("get of a missing key: found %v, count %d, bytes %d", op.Found, op.Count, op.Bytes)
		}
		s.put(key, value)
		op = s.run(get, drivers.Op{Key: key})
		if !op.Found || op.Count != 1 || !bytes.Equal(op.Read, value) {
			s.Errorf("get after put: found %v, count %d, value %s", op.Found, op.Count, show(op.Read))
		}
		if want := int64(len(key) + len(value)); op.Bytes != want {
			s.Errorf("get: bytes %d, want %d of the key and the value", op.Bytes, want)
		}
		s.put(key, []byte("another"))
		s.holds(key, []byte("another"))
	})
	s.Run("delete", func(t *testing.T) { testDelete(s.sub(t)) })
}

func testDelete(s *suite) {
	s.needs(drivers.Delete)
	key := s.key("d")
	del := s.op(drivers.Delete)
	if op := s.run(del, drivers.Op{Key: key}); op.Found || op.Count != 0 {
		s.Errorf("delete of a missing key: found %v, count %d", op.Found, op.Count)
	}
	s.put(key, []byte("x"))
	if op := s.run(del, drivers.Op{Key: key}); !op.Found || op.Count != 1 {
		s.Errorf("delete: found %v, count %d, want true and 1", op.Found, op.Count)
	}
	s.holds(key, nil)
}

func testEmptyValue(s *suite) {
	s.needs(drivers.Put, drivers.Get)
	s.put(s.key("empty"), []byte{})
	s.put(s.key("nil"), nil)
	s.holds(s.key("empty"), []byte{})
	s.holds(s.key("nil"), []byte{})
}

// testNoStaleResults gives every request an Op full of the results of another.
func testNoStaleResults(s *suite) {
	s.needs(drivers.Put, drivers.Get)
	full := drivers.Op{
		Found: true, Count: 99, Bytes: 99, Attempts: 99, Revision: 1 << 60,
		Read: []byte("stale"), Err: errStale,
	}
	missing := full
	missing.Key = s.key("missing")
	get := s.op(drivers.Get)
	get.Keep = true
	op := s.run(get, missing)
	if op.Found || op.Count != 0 || op.Bytes != 0 || len(op.Read) != 0 || op.Err != nil {
		s.Errorf("get of a missing key left stale results: %+v", *op)
	}
	written := full
	written.Key, written.Value = s.key("k"), []byte("v")
	op = s.run(s.op(drivers.Put), written)
	if op.Count != 0 || op.Bytes != 0 || op.Attempts == 99 || op.Revision == 1<<60 || op.Read != nil || op.Err != nil {
		s.Errorf("put left stale results: %+v", *op)
	}
	if s.spec.Op(drivers.Delete) == nil {
		return
	}
	gone := full
	gone.Key = s.key("missing")
	op = s.run(s.op(drivers.Delete), gone)
	if op.Found || op.Count != 0 || op.Bytes != 0 || op.Read != nil {
		s.Errorf("delete of a missing key left stale results: %+v", *op)
	}
}

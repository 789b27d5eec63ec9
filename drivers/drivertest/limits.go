package drivertest

import (
	"bytes"

	"github.com/kvscen/kvscen/drivers"
)

// margin is what a store may take above its declared limit, which is rounded
// down to leave room for the key and for what surrounds a request.
const margin = 1 << 20

func testValueLimit(s *suite) {
	s.needs(drivers.Put, drivers.Get)
	limit := s.spec.Limits.Value
	if limit == 0 {
		s.Skipf("%s declares no limit of values", s.spec.Name)
	}
	key, value := s.key("k"), bytes.Repeat([]byte("x"), int(limit))
	s.put(key, value)
	s.holds(key, value)
	_, err := s.try(s.op(drivers.Put), drivers.Op{Key: key, Value: append(value, make([]byte, margin)...)})
	s.failsAs(err, drivers.TooLarge)
	s.holds(key, value)
}

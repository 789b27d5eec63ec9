package drivertest

import (
	"time"

	"github.com/kvscen/kvscen/drivers"
)

func testTTL(s *suite) {
	s.needs(drivers.Put, drivers.Get)
	put := s.op(drivers.Put)
	if !s.spec.Op(drivers.Put).TTL {
		s.Skipf("%s has no ttl", s.spec.Name)
	}
	short, kept, renewed := s.key("short"), s.key("kept"), s.key("renewed")
	put.TTL = s.harness.TTL
	start := time.Now()
	s.run(put, drivers.Op{Key: short, Value: []byte("v")})
	s.run(put, drivers.Op{Key: renewed, Value: []byte("v")})
	s.put(renewed, []byte("w"))
	s.put(kept, []byte("v"))
	if early := s.get(short); early == nil && time.Since(start) < put.TTL {
		s.Errorf("the key was gone before its %v had passed", put.TTL)
	}
	limit := put.TTL + s.harness.Patience
	if !waitUntil(s.Context(), limit, func() bool { return !s.get1(short).Found }) {
		s.Errorf("a key with a ttl of %v is still there after %v", put.TTL, limit)
	}
	s.holds(kept, []byte("v"))
	s.holds(renewed, []byte("w"))
}

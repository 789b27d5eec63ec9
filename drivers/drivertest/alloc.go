package drivertest

import (
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// testAllocations checks what the harness says of allocations.
func testAllocations(s *suite) {
	if len(s.harness.AllocFree) == 0 {
		s.Skipf("%s promises nothing", s.spec.Name)
	}
	key := s.key("k")
	s.put(key, []byte("v"))
	for _, kind := range s.harness.AllocFree {
		r := s.bind(s.conn, s.op(kind))
		op := drivers.Op{Key: key, Value: []byte("v"), Deadline: time.Now().Add(time.Minute)}
		n := testing.AllocsPerRun(1000, func() {
			if err := r.do(s.Context(), &op); err != nil {
				s.Fatalf("%v: %v", kind, err)
			}
		})
		if n != 0 {
			s.Errorf("%v: %v allocations for each request, want none", kind, n)
		}
	}
}

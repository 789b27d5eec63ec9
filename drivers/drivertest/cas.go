package drivertest

import (
	"sync/atomic"
	"testing"

	"github.com/kvscen/kvscen/drivers"
)

func testCAS(s *suite) {
	s.needs(drivers.Put, drivers.Get, drivers.CAS)
	key, cas := s.key("c"), s.op(drivers.CAS)
	s.put(key, []byte("1"))

	op := s.run(cas, drivers.Op{Key: key, Value: []byte("2"), Expected: drivers.ExpectCurrent})
	if !op.Found {
		s.Error("cas on the current revision was lost without another writer")
	}
	s.holds(key, []byte("2"))

	current := s.get1(key).Revision
	if current == 0 {
		s.Fatal("get gives no revision, so that no cas can be given one")
	}
	op = s.run(cas, drivers.Op{Key: key, Value: []byte("3"), Expected: current})
	if !op.Found {
		s.Errorf("cas on revision %d, just read, was lost", current)
	}
	// A store may not say at which revision it has swapped.
	if next := s.get1(key).Revision; op.Revision != 0 && op.Revision != next {
		s.Errorf("cas: revision %d afterwards, get says %d", op.Revision, next)
	}
	op = s.run(cas, drivers.Op{Key: key, Value: []byte("4"), Expected: current})
	if op.Found {
		s.Errorf("cas on the old revision %d swapped", current)
	}
	s.holds(key, []byte("3"))
}

func testCASAbsent(s *suite) {
	s.needs(drivers.Get, drivers.CAS)
	cas := s.op(drivers.CAS)
	byOp := drivers.Op{Key: s.key("by op"), Value: []byte("1"), Expected: drivers.ExpectAbsent}
	bySpec := drivers.Op{Key: s.key("by spec"), Value: []byte("1"), Expected: drivers.ExpectCurrent}
	for name, c := range map[string]struct {
		absent bool
		op     drivers.Op
	}{"by op": {false, byOp}, "by spec": {true, bySpec}} {
		s.Run(name, func(t *testing.T) {
			s := s.sub(t)
			cas.Absent = c.absent
			if !s.run(cas, c.op).Found {
				t.Error("cas did not create a missing key")
			}
			again := c.op
			again.Value = []byte("2")
			if s.run(cas, again).Found {
				t.Error("cas created a key that was there")
			}
			s.holds(c.op.Key, []byte("1"))
		})
	}
}

// testCASRace lets clients count up one number; each swap that is reported as
// done must have been done, and no other but those of which nobody knows.
func testCASRace(s *suite) {
	s.needs(drivers.Put, drivers.Get, drivers.CAS)
	const clients, each = 4, 10
	key, cas := s.key("n"), s.op(drivers.CAS)
	s.put(key, []byte{0})
	get := s.op(drivers.Get)
	get.Keep = true
	var unsure atomic.Int64
	won := s.together(clients, func(int) func() (int, error) {
		r := s.bind(s.conn, cas, get)
		return func() (int, error) {
			won := 0
			for range each {
				read := drivers.Op{Spec: 1, Key: key}
				if err := r.do(s.Context(), &read); err != nil {
					return won, err
				}
				swap := drivers.Op{Key: key, Value: []byte{read.Read[0] + 1}, Expected: read.Revision}
				err := r.do(s.Context(), &swap)
				switch {
				case err != nil && s.harness.Unsure && drivers.ClassOf(err) == drivers.Conflict:
					unsure.Add(1)
				case err != nil:
					return won, err
				case swap.Found:
					won++
				}
			}
			return won, nil
		}
	})
	most := won + int(unsure.Load())
	if got := s.get(key); len(got) != 1 || int(got[0]) < won || int(got[0]) > most {
		s.Errorf("value of %q = %s, want a byte from %d to %d", key, show(got), won, most)
	}
	if most == 0 {
		s.Error("no swap of any client was won")
	}
}

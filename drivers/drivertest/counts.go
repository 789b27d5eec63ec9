package drivertest

import (
	"fmt"

	"github.com/kvscen/kvscen/drivers"
)

// testCounts has many clients write, overwrite, create and remove keys, on some of
// which they compete, and compares the number that must be left by the results
// with what the member holds by another means than the driver.
func testCounts(s *suite) {
	if s.harness.Count == nil {
		s.Skip("the harness can't count")
	}
	s.needs(drivers.Put)
	const clients, each = 8, 30
	target := s.harness.Target(s.T) // counting may end it
	conn := s.dial(target)
	kept := s.together(clients, func(client int) func() (int, error) {
		w := s.counted(conn, client)
		return func() (int, error) {
			kept := 0
			for n := range each {
				change, err := w.write(n)
				if err != nil {
					return kept, err
				}
				kept += change
			}
			return kept, nil
		}
	})
	if kept == 0 {
		s.Error("by the results no key is left")
	}
	if held := s.harness.Count(s.T, target, []byte(s.prefix)); held != kept {
		s.Errorf("the member holds %d keys, by the results %d", held, kept)
	}
}

// counted is one client, and what it can do beside writing.
type counted struct {
	s              *suite
	r              runner
	client         int
	put, del, swap int // index of the operation; 0: the store has none
}

func (s *suite) counted(conn drivers.Conn, client int) *counted {
	s.Helper()
	w := &counted{s: s, client: client}
	specs := []drivers.OpSpec{s.op(drivers.Put)}
	add := func(index *int, kind drivers.Kind) {
		if s.spec.Op(kind) != nil {
			*index = len(specs)
			specs = append(specs, s.op(kind))
		}
	}
	add(&w.del, drivers.Delete)
	add(&w.swap, drivers.CAS)
	w.r = s.bind(conn, specs...)
	return w
}

// write does round n and returns how many more keys there are.
func (w *counted) write(n int) (change int, err error) {
	own := w.s.key(fmt.Sprintf("own-%d-%d", w.client, n))
	shared := w.s.key(fmt.Sprintf("shared-%d", n))
	for range 2 {
		if _, err := w.do(w.put, own); err != nil {
			return 0, err
		}
	}
	change = 1
	for range 2 { // the second time it is gone
		if w.del == 0 || n%3 > 0 {
			break
		}
		op, err := w.do(w.del, own)
		if err != nil {
			return change, err
		}
		change -= op.Count
	}
	if w.swap > 0 {
		op, err := w.do(w.swap, shared)
		if err != nil {
			return change, err
		}
		if op.Found {
			change++
		}
	}
	if w.del > 0 && n%5 == w.client%5 {
		op, err := w.do(w.del, shared)
		if err != nil {
			return change, err
		}
		change -= op.Count
	}
	return change, nil
}

func (w *counted) do(spec int, key []byte) (*drivers.Op, error) {
	op := &drivers.Op{Spec: spec, Key: key, Value: key, Expected: drivers.ExpectAbsent}
	return op, w.r.do(w.s.Context(), op)
}

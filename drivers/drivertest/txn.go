package drivertest

import (
	"bytes"
	"fmt"

	"github.com/kvscen/kvscen/drivers"
)

// txn is a transaction of the given kinds in their default consistency.
func (s *suite) txn(kinds ...drivers.Kind) drivers.OpSpec {
	spec := s.op(drivers.Txn)
	for _, k := range kinds {
		spec.Ops = append(spec.Ops, s.op(k))
	}
	return spec
}

func testTxn(s *suite) {
	s.needs(drivers.Txn, drivers.Put, drivers.Get, drivers.Delete)
	a, b, c := s.key("a"), s.key("b"), s.key("c")
	s.put(b, []byte("old"))
	s.put(c, []byte("gone"))
	spec := s.txn(drivers.Put, drivers.Get, drivers.Delete)
	spec.Ops[1].Keep = true
	op := s.run(spec, drivers.Op{Sub: []drivers.Op{
		{Key: a, Value: []byte("new")}, {Key: b}, {Key: c},
	}})
	if !op.Found {
		s.Error("a txn without a condition was not committed")
	}
	if got := op.Sub[1]; !got.Found || got.Count != 1 || got.Bytes != int64(len(b)+3) || string(got.Read) != "old" {
		s.Errorf("get in txn: found %v, count %d, bytes %d, value %s", got.Found, got.Count, got.Bytes, show(got.Read))
	}
	if got := op.Sub[2]; !got.Found || got.Count != 1 {
		s.Errorf("delete in txn: found %v, count %d", got.Found, got.Count)
	}
	if op.Count != 2 || op.Bytes != int64(len(b)+3) {
		s.Errorf("txn: count %d, bytes %d, want those of its parts", op.Count, op.Bytes)
	}
	s.holds(a, []byte("new"))
	s.holds(c, nil)
}

func testTxnLost(s *suite) {
	s.needs(drivers.Txn, drivers.Put, drivers.CAS, drivers.Get)
	spec := s.txn(drivers.Put, drivers.CAS)
	a, b := s.key("a"), s.key("b")
	s.put(b, []byte("there"))
	op := s.run(spec, drivers.Op{Sub: []drivers.Op{
		{Key: a, Value: []byte("1")},
		{Key: b, Value: []byte("1"), Expected: drivers.ExpectAbsent},
	}})
	if op.Found || op.Sub[1].Found {
		s.Errorf("a txn whose cas can't hold was committed (cas: %v)", op.Sub[1].Found)
	}
	s.holds(a, nil)
	s.holds(b, []byte("there"))

	op = s.run(spec, drivers.Op{Sub: []drivers.Op{
		{Key: a, Value: []byte("2")},
		{Key: b, Value: []byte("2"), Expected: drivers.ExpectCurrent},
	}})
	if !op.Found || !op.Sub[1].Found {
		s.Errorf("a txn with a cas on the current revision: committed %v, cas %v", op.Found, op.Sub[1].Found)
	}
	s.holds(a, []byte("2"))
	s.holds(b, []byte("2"))
}

// testTxnAtomic writes two keys in one step again and again, while others read
// both in one step: they must never see two values.
func testTxnAtomic(s *suite) {
	s.needs(drivers.Txn, drivers.Put, drivers.Scan)
	const rounds = 40
	a, b, end := s.key("a"), s.key("b"), s.key("c")
	write := s.txn(drivers.Put, drivers.Put)
	read := s.txn(drivers.Scan, drivers.Scan)
	s.together(3, func(i int) func() (int, error) {
		r := s.bind(s.conn, write, read)
		if i > 0 {
			return func() (int, error) { return 0, readPairs(s, r, rounds, a, b, end) }
		}
		return func() (int, error) {
			for n := range rounds {
				value := bytes.Repeat([]byte{'v'}, n)
				op := drivers.Op{Sub: []drivers.Op{{Key: a, Value: value}, {Key: b, Value: value}}}
				if err := r.do(s.Context(), &op); err != nil {
					return 0, err
				}
			}
			return 0, nil
		}
	})
}

func readPairs(s *suite, r runner, rounds int, a, b, end []byte) error {
	for range rounds {
		op := drivers.Op{Spec: 1, Sub: []drivers.Op{{Key: a, End: b}, {Key: b, End: end}}}
		if err := r.do(s.Context(), &op); err != nil {
			return err
		}
		if x, y := op.Sub[0].Bytes, op.Sub[1].Bytes; x != y {
			return fmt.Errorf("a txn was seen half done: %d and %d bytes", x, y)
		}
	}
	return nil
}

package drivertest

import (
	"bytes"
	"fmt"

	"github.com/kvscen/kvscen/drivers"
)

func testScan(s *suite) {
	s.needs(drivers.Put)
	s.eachRead(drivers.Scan, func(s *suite, scan drivers.OpSpec) {
		// Values of 1, 2, 4 ... bytes: the sum of a reply tells which were in it.
		for i := range 8 {
			s.put(s.key(fmt.Sprintf("%02d", i)), make([]byte, 1<<i))
		}
		size := len(s.key("00"))
		for _, c := range []struct {
			name       string
			key, end   string
			limit      int
			count, sum int // sum of the values
		}{
			{"all", "", "~", 0, 8, 255},
			{"from a key on", "03", "~", 0, 5, 248},
			{"from between two keys", "02x", "~", 0, 5, 248},
			{"the end is exclusive", "01", "03", 0, 2, 2 + 4},
			{"limit: the first in order", "01", "~", 3, 3, 2 + 4 + 8},
			{"limit above the number", "06", "~", 100, 2, 64 + 128},
			{"nothing", "90", "99", 10, 0, 0},
		} {
			if c.limit > 0 && !s.spec.Op(drivers.Scan).Limit {
				continue
			}
			scan.Limit = c.limit
			op := s.run(scan, drivers.Op{Key: s.key(c.key), End: s.key(c.end)})
			if want := int64(c.count*size + c.sum); op.Count != c.count || op.Bytes != want {
				s.Errorf("%s: count %d, bytes %d; want %d, %d", c.name, op.Count, op.Bytes, c.count, want)
			}
		}
		if !s.spec.Op(drivers.Scan).Limit {
			return // the rest of the store may be large
		}
		scan.Limit = 2
		op := s.run(scan, drivers.Op{Key: s.key("00")})
		if op.Count != 2 {
			s.Errorf("without an end: count %d, want 2", op.Count)
		}
	})
}

// testScanKeys counts the bytes of keys alone, beside values that would show.
func testScanKeys(s *suite) {
	s.needs(drivers.Put, drivers.Scan)
	if !s.spec.Op(drivers.Scan).KeysOnly {
		s.Skipf("%s reads no keys without their values", s.spec.Name)
	}
	s.eachRead(drivers.Scan, func(s *suite, scan drivers.OpSpec) {
		scan.KeysOnly = true
		for i := range 5 {
			s.put(s.key(fmt.Sprint(i)), make([]byte, 1000))
		}
		size := len(s.key("0"))
		check := func(from string, limit, want int) {
			s.Helper()
			scan.Limit = limit
			op := s.run(scan, drivers.Op{Key: s.key(from), End: s.key("~")})
			if op.Count != want || op.Bytes != int64(want*size) {
				s.Errorf("from %s, limit %d: count %d, bytes %d; want %d, %d", from, limit, op.Count, op.Bytes, want, want*size)
			}
		}
		check("0", 0, 5)
		check("3", 0, 2)
		if s.spec.Op(drivers.Scan).Limit {
			check("1", 3, 3)
		}
	})
}

// testScanEntries looks at what was read: each key with its own value, of this
// request alone.
func testScanEntries(s *suite) {
	s.needs(drivers.Put, drivers.Scan)
	if !s.spec.Op(drivers.Scan).Entries {
		s.Skipf("%s gives no entries of a scan", s.spec.Name)
	}
	s.eachRead(drivers.Scan, func(s *suite, scan drivers.OpSpec) {
		scan.Keep = true
		for i := range 20 {
			s.put(s.key(fmt.Sprintf("%02d", i)), bytes.Repeat([]byte{byte('a' + i)}, 500*i))
		}
		r := s.bind(s.conn, scan)
		for _, from := range []int{0, 15, 3, 20} {
			op := drivers.Op{Key: s.key(fmt.Sprintf("%02d", from)), End: s.key("~")}
			if err := r.do(s.Context(), &op); err != nil {
				s.Fatal(err)
			}
			if len(op.Entries) != 20-from || op.Count != 20-from {
				s.Fatalf("from %d on: %d entries, count %d; want %d", from, len(op.Entries), op.Count, 20-from)
			}
			for j, e := range op.Entries {
				i := from + j
				if want := s.key(fmt.Sprintf("%02d", i)); !bytes.Equal(e.Key, want) || !bytes.Equal(e.Value, bytes.Repeat([]byte{byte('a' + i)}, 500*i)) {
					s.Errorf("entry %d: key %q with a value of %d bytes, %s; want %q with %d", j, e.Key, len(e.Value), show(e.Value), want, 500*i)
				}
			}
		}
	})
}

func testListChildren(s *suite) {
	s.needs(drivers.Put)
	s.eachRead(drivers.ListChildren, func(s *suite, list drivers.OpSpec) {
		for _, name := range []string{"dir/a", "dir/b", "dir/c", "dis", "di", "dir0"} {
			s.put(s.key(name), []byte("value"))
		}
		op := s.run(list, drivers.Op{Key: s.key("dir")})
		if op.Count != 3 || op.Bytes == 0 {
			s.Errorf("count %d, bytes %d; want 3 children", op.Count, op.Bytes)
		}
		if op := s.run(list, drivers.Op{Key: s.key("none")}); op.Count != 0 {
			s.Errorf("children of a missing key: %d", op.Count)
		}
		if !s.spec.Op(drivers.ListChildren).Limit {
			return
		}
		list.Limit = 2
		if op := s.run(list, drivers.Op{Key: s.key("dir")}); op.Count != 2 {
			s.Errorf("limit 2: count %d", op.Count)
		}
	})
}

package inproc

import (
	"bytes"

	"github.com/kvscen/kvscen/drivers"
)

// scan reads keys and values in order, or keys alone.
type scan struct {
	reader    Reader
	limit     int
	values    bool
	from, end []byte
	halt      func(bytes int) bool
	visit     func(key, value []byte) bool // seen, bound once
	keep      bool                         // entries
	entries   []drivers.Entry              // their memory is used again
	held      []byte                       // keys and values of entries
	count     int
	bytes     int64
	halted    bool
}

func newScan(r Reader, spec *drivers.OpSpec) *scan {
	s := &scan{reader: r, limit: spec.Limit, values: !spec.KeysOnly, keep: spec.Keep}
	s.visit = s.seen
	return s
}

func (s *scan) load(op *drivers.Op) error {
	s.from, s.end = append(s.from[:0], op.Key...), append(s.end[:0], op.End...)
	return nil
}

func (s *scan) run(halt func(bytes int) bool) error {
	s.count, s.bytes, s.halted, s.halt = 0, 0, false, halt
	s.entries, s.held = s.entries[:0], s.held[:0]
	if len(s.end) > 0 && bytes.Compare(s.from, s.end) >= 0 {
		return nil
	}
	err := s.reader.Scan(s.from, s.end, s.values, s.visit)
	if err == nil && s.halted {
		return errHalted
	}
	return err
}

func (s *scan) seen(key, value []byte) bool {
	n := len(key) + len(value)
	s.count++
	s.bytes += int64(n)
	if s.keep {
		s.entries = append(s.entries, drivers.Entry{Key: s.hold(key), Value: s.hold(value)})
	}
	if s.limit > 0 && s.count == s.limit {
		return false
	}
	s.halted = s.halt(n)
	return !s.halted
}

// hold copies what is valid during the visit alone. What was held before may
// stay behind where the memory grows; it is not written again.
func (s *scan) hold(b []byte) []byte {
	from := len(s.held)
	s.held = append(s.held, b...)
	return s.held[from:len(s.held):len(s.held)]
}

func (s *scan) result(op *drivers.Op) {
	op.Count, op.Bytes, op.Entries = s.count, s.bytes, s.entries
}

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
	count     int
	bytes     int64
	halted    bool
}

func newScan(r Reader, spec *drivers.OpSpec) *scan {
	s := &scan{reader: r, limit: spec.Limit, values: !spec.KeysOnly}
	s.visit = s.seen
	return s
}

func (s *scan) load(op *drivers.Op) error {
	s.from, s.end = append(s.from[:0], op.Key...), append(s.end[:0], op.End...)
	return nil
}

func (s *scan) run(halt func(bytes int) bool) error {
	s.count, s.bytes, s.halted, s.halt = 0, 0, false, halt
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
	if s.limit > 0 && s.count == s.limit {
		return false
	}
	s.halted = s.halt(n)
	return !s.halted
}

func (s *scan) result(op *drivers.Op) { op.Count, op.Bytes = s.count, s.bytes }

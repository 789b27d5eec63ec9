package load

import (
	"iter"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/result"
)

// kept is one measured request, at its number in the step. All of them are
// allocated before the first is sent: 32 bytes each.
type kept struct {
	due, start, end time.Duration
	op              uint16
	class           drivers.Class // of a failed one
	ending          ending
}

type ending uint8

const (
	notMeasured ending = iota // warm-up, missed or undue
	wentWell
	wentWrong
)

// keep makes the recorder keep each of so many requests.
func (r *recorder) keep(requests uint64) { r.kept = make([]kept, requests) }

// sample keeps a request. Its number is nobody else's, and the lock of some
// shard is held.
func (r *recorder) sample(s *shot) {
	if s.n >= uint64(len(r.kept)) {
		return
	}
	k := &r.kept[s.n]
	*k = kept{due: s.due, start: s.start, end: s.end, op: uint16(s.op.Spec), ending: wentWell}
	if s.err != nil {
		k.class, k.ending = drivers.ClassOf(s.err), wentWrong
	}
}

// takeKept ends the keeping, so that a request that comes back after all can't
// change what is read meanwhile.
func (r *recorder) takeKept() []kept {
	for _, sh := range r.shards {
		sh.mu.Lock()
		defer sh.mu.Unlock()
	}
	list := r.kept
	r.kept = nil
	return list
}

// samples are the measured requests of the step in the order of their numbers;
// nil where they are not kept. offset is the step's start from the phase's.
func (s *Step) samples(offset time.Duration) iter.Seq[result.Sample] {
	list := s.stage.recorder.takeKept()
	if list == nil {
		return nil
	}
	names, open, index := s.stage.recorder.names, s.pacer != nil, s.index
	return func(yield func(result.Sample) bool) {
		for n := range list {
			k := &list[n]
			if k.ending == notMeasured {
				continue
			}
			sample := result.Sample{N: s.stage.number(uint64(n)), Step: index, Op: names[k.op], Open: open,
				Due: offset + k.due, Start: offset + k.start, End: offset + k.end, OK: k.ending == wentWell}
			if !sample.OK {
				sample.Class = k.class.String()
			}
			if !yield(sample) {
				return
			}
		}
	}
}

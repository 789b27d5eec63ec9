package mem

import (
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// attempt is a request under way: when it ends by what is known now, and how.
type attempt struct {
	op       *drivers.Op
	end      time.Duration // since the member's base
	deadline time.Duration
	failure  *drivers.Error // nil: op is carried out at the end
	fate     fate
}

// begin takes op, arrived at now, and settles how it will go. What will be lost
// is carried out at once: the answer is lost, not the request.
func (m *member) begin(spec *drivers.OpSpec, op *drivers.Op, now time.Duration) attempt {
	op.Reset()
	a := attempt{op: op, deadline: forever}
	if !op.Deadline.IsZero() {
		a.deadline = op.Deadline.Sub(m.base)
	}
	if a.deadline <= now {
		a.end, a.failure = now, errTimeout()
		return a
	}
	f, end := m.script.begin(now)
	a.end, a.fate = end, f
	switch {
	case f.lost:
		m.store.apply(spec, op)
		a.end, a.failure = a.deadline, errTimeout()
	case f.refused:
		a.failure = errRefused()
	}
	a.cap()
	return a
}

// hold keeps the answer back while the member is stalled.
func (m *member) hold(a *attempt) {
	a.end = max(a.end, m.script.stalled())
	a.cap()
}

// cap turns an attempt that would end too late into one that times out.
func (a *attempt) cap() {
	if a.end >= a.deadline {
		a.end, a.failure = a.deadline, errTimeout()
	}
}

// finish gives the request its results, or the error that it ends with.
func (m *member) finish(spec *drivers.OpSpec, a *attempt) error {
	if a.failure == nil {
		m.store.apply(spec, a.op)
		if a.fate.corrupt || a.fate.misread {
			m.spoil(spec, a)
		}
		return nil
	}
	a.op.Reset()
	a.op.Attempts = 1
	return a.failure
}

// now is the time since the member's base.
func (m *member) now() time.Duration { return time.Since(m.base) }

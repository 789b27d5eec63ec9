package inproc

import (
	"math"
	"sync/atomic"
)

// closing is added to a door's count of calls, so that it is negative from then on.
const closing = math.MinInt64 / 2

// doors count the calls that are under way in an engine, so that it is closed only
// after them. There are several, each with a cache line of its own: clients that
// count at one place wait for each other's processor, which cost a tenth of a read.
type doors struct {
	list    [8]door
	busy    atomic.Int32 // doors with calls under way when they were shut
	drained chan struct{}
}

// door is one of them.
type door struct {
	calls   atomic.Int64
	drained atomic.Bool
	all     *doors
	_       [40]byte
}

func newDoors() *doors {
	d := &doors{drained: make(chan struct{})}
	for i := range d.list {
		d.list[i].all = d
	}
	d.busy.Store(int32(len(d.list)))
	return d
}

// at is the door of the n-th user.
func (d *doors) at(n int) *door { return &d.list[n%len(d.list)] }

// shut lets no more calls begin. drained is closed when none is under way.
func (d *doors) shut() {
	for i := range d.list {
		if d.list[i].calls.Add(closing) == closing {
			d.list[i].drain()
		}
	}
}

// enter begins a call into the engine. It reports false once the doors are shut.
func (d *door) enter() bool {
	if d.calls.Add(1) > 0 {
		return true
	}
	d.leave()
	return false
}

// leave ends a call.
func (d *door) leave() {
	if d.calls.Add(-1) == closing {
		d.drain()
	}
}

// drain may be called again by those who find the door shut.
func (d *door) drain() {
	if d.drained.CompareAndSwap(false, true) && d.all.busy.Add(-1) == 0 {
		close(d.all.drained)
	}
}

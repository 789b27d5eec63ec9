package load

import (
	"sync"
	"sync/atomic"
	"time"
)

// schedule hands the numbers of requests out to clients. Without a pacer they
// come off one atomic counter. With one, numbers are claimed in order under a
// lock, and clients that are early wait in a queue which the dispatcher empties
// as requests become due: it is in the order of the due times by itself.
type schedule struct {
	pacer    Pacer         // nil: closed loop
	requests uint64        // closed loop: no more than these; 0: no limit
	cut      time.Duration // nothing is started at or after it
	stopped  atomic.Bool
	stop     chan struct{} // closed with stopped

	_    [64]byte // next is written by every client: a cache line of its own
	next atomic.Uint64
	_    [56]byte

	mu      sync.Mutex
	waiting []waiter // those from head on wait
	head    int
	arrived chan struct{} // a waiter came to an empty queue; holds one
}

// waiter is a client that has claimed a request which is not due yet.
type waiter struct {
	due  time.Duration
	wake chan<- bool // holds one; false: it is not to be sent
}

func newSchedule(p Pacer, requests uint64, cut time.Duration) *schedule {
	return &schedule{pacer: p, requests: requests, cut: cut,
		stop: make(chan struct{}), arrived: make(chan struct{}, 1)}
}

// end makes every later claim fail. It may be called more than once.
func (s *schedule) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.stopped.Swap(true) {
		close(s.stop)
	}
}

// claimNow takes the next request of a closed loop.
func (s *schedule) claimNow(now time.Duration) (n uint64, ok bool) {
	if s.stopped.Load() || now >= s.cut {
		return 0, false
	}
	n = s.next.Add(1) - 1
	return n, s.requests == 0 || n < s.requests
}

// claim takes the next request of an open loop. If it is due already the client
// is to start it; else, if wake is not nil, the client has been queued and waits
// on the other end of wake.
func (s *schedule) claim(now time.Duration, wake chan<- bool) (n uint64, due time.Duration, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped.Load() || now >= s.cut {
		return 0, 0, false
	}
	n = s.next.Load()
	due, more := s.pacer.At(n)
	if !more {
		return 0, 0, false
	}
	s.next.Store(n + 1)
	if due > now && wake != nil {
		s.enqueue(waiter{due, wake})
	}
	return n, due, true
}

func (s *schedule) enqueue(w waiter) {
	if s.head == len(s.waiting) {
		s.waiting, s.head = s.waiting[:0], 0
		select {
		case s.arrived <- struct{}{}:
		default:
		}
	} else if s.head > len(s.waiting)/2 && len(s.waiting) == cap(s.waiting) {
		s.waiting = s.waiting[:copy(s.waiting, s.waiting[s.head:])]
		s.head = 0
	}
	s.waiting = append(s.waiting, w)
}

// first is the due time of the client that has waited longest.
func (s *schedule) first() (time.Duration, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.head == len(s.waiting) {
		return 0, false
	}
	return s.waiting[s.head].due, true
}

// release wakes all clients whose request is due, or with send false all of
// them, which then do not send.
func (s *schedule) release(now time.Duration, send bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ; s.head < len(s.waiting); s.head++ {
		w := s.waiting[s.head]
		if send && w.due > now {
			return
		}
		w.wake <- send
	}
}

// nearby is how long before a due time the dispatcher leaves Go's timers, which
// are up to a millisecond late, for the precise sleep.
const nearby = 2 * time.Millisecond

// dispatch wakes waiting clients when their requests are due, until the
// schedule has been stopped.
func (s *schedule) dispatch(since func() time.Duration, sleep func(time.Duration)) {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for !s.stopped.Load() {
		due, ok := s.first()
		if !ok {
			select {
			case <-s.arrived:
			case <-s.stop:
			}
			continue
		}
		switch wait := due - since(); {
		case wait > nearby:
			timer.Reset(wait - nearby/2)
			select {
			case <-timer.C:
			case <-s.stop:
			}
		case wait > 0:
			sleep(wait)
		default:
			s.release(since(), true)
		}
	}
	s.release(0, false)
}

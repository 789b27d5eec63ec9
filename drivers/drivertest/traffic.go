package drivertest

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

const (
	writers      = 8
	writeTimeout = 500 * time.Millisecond // of each of their requests
	writePause   = 5 * time.Millisecond   // between two of them: what is written is read again later
	tardy        = 10 * time.Second       // beyond its deadline, even on a busy machine: too late
)

// traffic is clients that write on one connection, each request to a key of its
// own, while something happens to the connection or to its member.
type traffic struct {
	s     *suite
	limit time.Duration // of each request
	stop  atomic.Bool
	ended chan struct{}

	mu      sync.Mutex
	acked   [][]byte // keys whose write was acknowledged
	errs    []error  // of the others
	slowest time.Duration
}

// write starts the writers on a connection.
func (s *suite) write(conn drivers.Conn) *traffic {
	s.Helper()
	return s.writeWithin(conn, writeTimeout)
}

func (s *suite) writeWithin(conn drivers.Conn, limit time.Duration) *traffic {
	s.Helper()
	s.needs(drivers.Put, drivers.Get)
	t := &traffic{s: s, limit: limit, ended: make(chan struct{})}
	var wg sync.WaitGroup
	run := s.prefix + fmt.Sprint(time.Now().UnixNano()) // a test may have several
	for i := range writers {
		r := s.bind(conn, s.op(drivers.Put))
		wg.Go(func() { t.client(r, fmt.Sprintf("%s-%d", run, i)) })
	}
	go func() {
		wg.Wait()
		close(t.ended)
	}()
	return t
}

// client writes until it is told to stop. Its key is its value. It may outlive
// the test where the driver is wrong, and so keeps what it sees for later.
func (t *traffic) client(r runner, name string) {
	for n := 0; !t.stop.Load(); n++ {
		key := fmt.Appendf(nil, "%s-%d", name, n)
		start := time.Now()
		err := r.do(t.s.Context(), &drivers.Op{Key: key, Value: key, Deadline: start.Add(t.limit)})
		took := time.Since(start)
		t.mu.Lock()
		t.slowest = max(t.slowest, took)
		if err == nil {
			t.acked = append(t.acked, key)
		} else {
			t.errs = append(t.errs, err)
		}
		t.mu.Unlock()
		time.Sleep(writePause)
	}
}

func (t *traffic) counts() (ok, failed int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.acked), len(t.errs)
}

// succeed waits until each writer may have succeeded more than once from now on.
func (t *traffic) succeed(when string) {
	t.s.Helper()
	before, _ := t.counts()
	t.await(when+" no request succeeds", func() bool {
		ok, _ := t.counts()
		return ok > before+2*writers
	})
}

// fail waits until each writer may have failed more than once from now on.
func (t *traffic) fail(when string) {
	t.s.Helper()
	_, before := t.counts()
	t.await(when+" no request fails", func() bool {
		_, failed := t.counts()
		return failed > before+2*writers
	})
}

func (t *traffic) await(otherwise string, seen func() bool) {
	t.s.Helper()
	if waitUntil(t.s.Context(), t.s.harness.Patience, seen) {
		return
	}
	t.stop.Store(true)
	ok, failed := t.counts()
	t.s.Fatalf("%s for %v: %d ok, %d failed", otherwise, t.s.harness.Patience, ok, failed)
}

// end stops the writers. None may hang, or have come long after its deadline, and
// those that failed did so as one of the classes.
func (t *traffic) end(classes ...drivers.Class) {
	t.s.Helper()
	t.stop.Store(true)
	select {
	case <-t.ended:
	case <-time.After(writeTimeout + t.s.harness.Patience):
		t.s.Fatalf("a request has not returned %v after its deadline", t.s.harness.Patience)
	}
	if t.slowest > t.limit+tardy {
		t.s.Errorf("a request took %v, its deadline was after %v", t.slowest, t.limit)
	}
	for _, err := range t.errs {
		if why := misclassed(err, classes...); why != "" {
			t.s.Errorf("of %d requests that failed: %s", len(t.errs), why)
			return
		}
	}
}

// settle ends the writers, after a fault that made requests fail, and checks that
// the member holds every write that was acknowledged, and nothing that was not
// asked for. A write that failed may be there. conn is one that serves.
func (t *traffic) settle(conn drivers.Conn) {
	t.s.Helper()
	t.end(drivers.Unavailable, drivers.Timeout)
	get := t.s.op(drivers.Get)
	get.Consistency, _ = t.s.spec.Op(drivers.Get).Resolve("strong")
	get.Keep = true
	var mu sync.Mutex
	var lost []string
	t.s.together(writers, func(reader int) func() (int, error) {
		r := t.s.bind(conn, get)
		return func() (int, error) {
			for i := reader; i < len(t.acked); i += writers {
				op := drivers.Op{Key: t.acked[i]}
				if err := r.do(t.s.Context(), &op); err != nil {
					return 0, err
				}
				if !op.Found || !bytes.Equal(op.Read, op.Key) {
					mu.Lock()
					lost = append(lost, strings.TrimPrefix(string(op.Key), t.s.prefix))
					mu.Unlock()
				}
			}
			return 0, nil
		}
	})
	if len(lost) > 0 {
		t.s.Errorf("%d of %d writes that were acknowledged are not there, the first %s", len(lost), len(t.acked), lost[0])
	}
	if t.s.harness.Count == nil {
		return
	}
	acked, failed := t.counts()
	if held := t.s.harness.Count(t.s.T, t.s.target, []byte(t.s.prefix)); held < acked || held > acked+failed {
		t.s.Errorf("the member holds %d keys, %d writes were acknowledged and %d failed", held, acked, failed)
	}
}

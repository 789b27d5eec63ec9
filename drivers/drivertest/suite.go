package drivertest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

const (
	timeout = time.Minute            // of a request that ought to succeed
	prompt  = 100 * time.Millisecond // within which cancelling and closing must end a request
	tries   = 10                     // in one of which a busy machine must manage that
	slack   = 400 * time.Millisecond // what it may add to any other limit
)

// suite is one test's view: the harness, a connection and a prefix for its keys.
type suite struct {
	*testing.T
	harness Harness
	spec    drivers.Spec
	target  drivers.Target
	conn    drivers.Conn
	open    opener
	prefix  string
}

func newSuite(t *testing.T, h Harness, target drivers.Target, open opener) *suite {
	t.Helper()
	s := &suite{T: t, harness: h, spec: h.Driver.Spec(), target: target, open: open, prefix: prefix(t)}
	s.conn = s.dial(target)
	return s
}

// sub is the suite for a test below it, on the same connection.
func (s *suite) sub(t *testing.T) *suite {
	c := *s
	c.T, c.prefix = t, prefix(t)
	return &c
}

// prefix sets the keys of a test apart from those of all others, and of earlier
// runs on the same member.
func prefix(t *testing.T) string { return fmt.Sprintf("%s %d/", t.Name(), time.Now().UnixNano()) }

func (s *suite) dial(target drivers.Target) drivers.Conn {
	s.Helper()
	if target.Timeout == 0 {
		target.Timeout = timeout
	}
	conn, err := s.harness.Driver.Dial(s.Context(), target)
	if err != nil {
		s.Fatalf("dial %s: %v", target.Endpoint, err)
	}
	s.Cleanup(func() { conn.Close() })
	return conn
}

// needs skips the test where the store can't do one of the kinds.
func (s *suite) needs(kinds ...drivers.Kind) {
	s.Helper()
	for _, k := range kinds {
		if s.spec.Op(k) == nil {
			s.Skipf("%s has no %v", s.spec.Name, k)
		}
	}
}

// op is an operation of the store in its default consistency.
func (s *suite) op(k drivers.Kind) drivers.OpSpec {
	s.Helper()
	info := s.spec.Op(k)
	if info == nil {
		s.Skipf("%s has no %v", s.spec.Name, k)
	}
	consistency, _ := info.Resolve("")
	return drivers.OpSpec{Kind: k, Consistency: consistency}
}

// eachRead runs a test in each consistency of a reading operation.
func (s *suite) eachRead(k drivers.Kind, test func(*suite, drivers.OpSpec)) {
	op := s.op(k)
	names := []string{op.Consistency}
	if all := s.spec.Op(k).Consistencies; len(all) > 0 {
		names = names[:0]
		for _, c := range all {
			names = append(names, c.Name)
		}
	}
	for _, name := range names {
		op.Consistency = name
		s.Run("consistency "+name, func(t *testing.T) { test(s.sub(t), op) })
	}
}

func (s *suite) key(name string) []byte { return []byte(s.prefix + name) }

// run binds one operation and carries out one request, which must not fail.
func (s *suite) run(spec drivers.OpSpec, op drivers.Op) *drivers.Op {
	s.Helper()
	result, err := s.try(spec, op)
	if err != nil {
		s.Fatalf("%v %q: %v", spec.Kind, op.Key, err)
	}
	return result
}

func (s *suite) try(spec drivers.OpSpec, op drivers.Op) (*drivers.Op, error) {
	s.Helper()
	r := s.bind(s.conn, spec)
	return &op, r.do(s.Context(), &op)
}

// bind opens the path under test on a connection.
func (s *suite) bind(conn drivers.Conn, specs ...drivers.OpSpec) runner {
	s.Helper()
	r, err := s.open(conn, specs)
	if err != nil {
		s.Fatalf("bind %v: %v", specs[0].Kind, err)
	}
	if r == nil {
		s.Skipf("%s has no pipe", s.spec.Name)
	}
	s.Cleanup(r.close)
	return r
}

func (s *suite) put(key, value []byte) *drivers.Op {
	s.Helper()
	return s.run(s.op(drivers.Put), drivers.Op{Key: key, Value: value})
}

// get reads a key in the store's strongest way; nil: it is not there.
func (s *suite) get(key []byte) []byte {
	s.Helper()
	op := s.get1(key)
	if !op.Found {
		return nil
	}
	return append([]byte{}, op.Read...)
}

func (s *suite) get1(key []byte) *drivers.Op {
	s.Helper()
	spec := s.op(drivers.Get)
	spec.Keep = true
	return s.run(spec, drivers.Op{Key: key})
}

// holds checks that a key has a value; nil: that it is not there.
func (s *suite) holds(key, want []byte) {
	s.Helper()
	got := s.get(key)
	if (got == nil) != (want == nil) || !bytes.Equal(got, want) {
		s.Errorf("value of %q = %s, want %s", key, show(got), show(want))
	}
}

func show(value []byte) string {
	switch {
	case value == nil:
		return "not found"
	case len(value) > 40:
		return fmt.Sprintf("%q... (%d bytes)", value[:40], len(value))
	}
	return fmt.Sprintf("%q", value)
}

// failsAs checks that a request failed, and with an error of the given classes.
func (s *suite) failsAs(err error, want ...drivers.Class) {
	s.Helper()
	if why := misclassed(err, want...); why != "" {
		s.Error(why)
	}
}

// misclassed says what is wrong with the error of a request that was to fail as
// one of the given classes; empty: nothing.
func misclassed(err error, want ...drivers.Class) string {
	if err == nil {
		return fmt.Sprintf("the request succeeded, want class %v", want)
	}
	if _, ok := err.(*drivers.Error); !ok {
		return fmt.Sprintf("error %q is a %T, want a *drivers.Error", err, err)
	}
	if !slices.Contains(want, drivers.ClassOf(err)) {
		return fmt.Sprintf("error %q is of class %v, want %v", err, drivers.ClassOf(err), want)
	}
	return ""
}

// within runs f and checks that it takes no longer than limit at the best of some
// tries: a machine may be late once, a driver that waits always is.
func (s *suite) within(limit time.Duration, what string, f func()) {
	s.Helper()
	s.best(limit+slack, what, func() func() { return f })
}

// promptly checks that what prepare returns takes no longer than prompt at the
// best of some tries.
func (s *suite) promptly(what string, prepare func() (f func())) {
	s.Helper()
	s.best(prompt, what, prepare)
}

func (s *suite) best(limit time.Duration, what string, prepare func() (f func())) {
	s.Helper()
	best := s.took(limit, what, prepare())
	for range tries - 1 {
		if best <= limit || s.Failed() {
			return
		}
		best = min(best, s.took(limit, what, prepare()))
	}
	if best > limit {
		s.Errorf("%s took %v at the best of %d tries, want at most %v", what, best, tries, limit)
	}
}

// took runs f, which ought to return within limit, and gives up on it long after.
func (s *suite) took(limit time.Duration, what string, f func()) time.Duration {
	s.Helper()
	done := make(chan time.Duration, 1)
	start := time.Now()
	go func() {
		f()
		done <- time.Since(start)
	}()
	select {
	case d := <-done:
		return d
	case <-time.After(limit + s.harness.Patience):
		s.Fatalf("%s has not ended after %v, want at most %v", what, limit+s.harness.Patience, limit)
	}
	return 0
}

// waitUntil asks until ok or the time is over.
func waitUntil(ctx context.Context, limit time.Duration, ok func() bool) bool {
	for end := time.Now().Add(limit); time.Now().Before(end) && ctx.Err() == nil; time.Sleep(20 * time.Millisecond) {
		if ok() {
			return true
		}
	}
	return ok()
}

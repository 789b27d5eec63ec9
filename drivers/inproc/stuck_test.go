package inproc_test

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/inproc"
)

// stuck is an engine whose commits wait until they are let go, as on a disk that
// does not answer. What is committed goes to the log.
type stuck struct {
	begun  chan struct{} // gets one of each commit that has begun
	let    chan struct{} // lets one commit go on
	failed func(error)

	mu     sync.Mutex
	log    [][]byte
	closed bool
}

func (s *stuck) Latest() inproc.Reader                  { return nil }
func (s *stuck) View(func(inproc.Reader) error) error   { return nil }
func (s *stuck) Update(func(inproc.Writer) error) error { return nil }
func (s *stuck) Delete([]byte) (bool, error)            { return false, nil }
func (s *stuck) Batch() inproc.Batch                    { return &stuckBatch{store: s} }
func (s *stuck) Waits() bool                            { return true }
func (s *stuck) Class(error) drivers.Class              { return drivers.Other }
func (s *stuck) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}

type stuckBatch struct {
	store *stuck
	value []byte
}

func (b *stuckBatch) Reset() { b.value = b.value[:0] }
func (b *stuckBatch) Put(_, value []byte) error {
	b.value = append(b.value, value...)
	return nil
}

func (b *stuckBatch) Commit() error {
	b.store.begun <- struct{}{}
	<-b.store.let
	b.store.mu.Lock()
	defer b.store.mu.Unlock()
	b.store.log = append(b.store.log, bytes.Clone(b.value))
	return nil
}

// hung opens a stuck engine and binds a put to it.
func hung(t *testing.T) (s *stuck, conn drivers.Conn, put drivers.Client, shut func() error) {
	t.Helper()
	s = &stuck{begun: make(chan struct{}, 8), let: make(chan struct{}, 8)}
	d := inproc.New(drivers.Spec{Name: "stuck", Ops: []drivers.OpInfo{{Kind: drivers.Put}}}, "none",
		func(_ string, _ *inproc.Options, failed func(error)) (inproc.Store, error) {
			s.failed = failed
			return s, nil
		})
	endpoint, shut, err := d.Open(t.Context(), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if conn, err = d.Dial(t.Context(), drivers.Target{Endpoint: endpoint}); err != nil {
		t.Fatal(err)
	}
	if put, err = conn.Client([]drivers.OpSpec{{Kind: drivers.Put}}); err != nil {
		t.Fatal(err)
	}
	return s, conn, put, shut
}

// begin carries out a put in the background.
func begin(ctx context.Context, put drivers.Client, op *drivers.Op) <-chan error {
	ended := make(chan error, 1)
	go func() { ended <- put.Do(ctx, op) }()
	return ended
}

func await(t *testing.T, ended <-chan error) error {
	t.Helper()
	select {
	case err := <-ended:
		return err
	case <-time.After(time.Minute):
		t.Fatal("the request hangs")
		return nil
	}
}

// A write that hangs is given up at its deadline; what it wrote is what it was
// given, although its Op is in use for the next, which waits for its turn.
func TestStuckDeadline(t *testing.T) {
	s, _, put, shut := hung(t)
	value := []byte("first")
	op := drivers.Op{Value: value, Deadline: time.Now().Add(200 * time.Millisecond)}
	for range 2 {
		if err := await(t, begin(t.Context(), put, &op)); drivers.ClassOf(err) != drivers.Timeout {
			t.Errorf("error %v, want a timeout", err)
		}
		copy(value, "again")
		op.Deadline = time.Now().Add(200 * time.Millisecond)
	}
	op.Deadline = time.Now().Add(time.Minute)
	copy(value, "third")
	ended := begin(t.Context(), put, &op)
	for range 2 {
		s.let <- struct{}{}
	}
	if err := await(t, ended); err != nil {
		t.Error(err)
	}
	if got := bytes.Join(s.log, []byte(" ")); string(got) != "first third" {
		t.Errorf("committed: %q", got)
	}
	if err := shut(); err != nil || !s.closed {
		t.Errorf("closing: %v, closed %v", err, s.closed)
	}
}

func TestStuckCancelAndClose(t *testing.T) {
	s, conn, put, shut := hung(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := begin(ctx, put, &drivers.Op{})
	<-s.begun
	cancel()
	if err := await(t, ended); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want one of a cancelled context", err)
	}
	ended = begin(t.Context(), put, &drivers.Op{})
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
	if err := await(t, ended); drivers.ClassOf(err) != drivers.Unavailable {
		t.Errorf("error %v, want unavailable", err)
	}
	over := make(chan error, 1)
	go func() { over <- shut() }()
	select {
	case <-over:
		t.Error("the engine was closed with a call under way in it")
	case <-time.After(20 * time.Millisecond):
	}
	s.let <- struct{}{}
	if err := await(t, over); err != nil {
		t.Error(err)
	}
}

// An engine that says that it can go on no more ends what is under way, and is
// not closed, for that might hang.
func TestBroken(t *testing.T) {
	s, _, put, shut := hung(t)
	ended := begin(t.Context(), put, &drivers.Op{})
	<-s.begun
	cause := errors.New("the disk is gone")
	s.failed(cause)
	if err := await(t, ended); !errors.Is(err, cause) || drivers.ClassOf(err) != drivers.Unavailable {
		t.Errorf("error %v, want unavailable: %v", err, cause)
	}
	if err := shut(); !errors.Is(err, cause) || s.closed {
		t.Errorf("closing: %v, closed %v", err, s.closed)
	}
}

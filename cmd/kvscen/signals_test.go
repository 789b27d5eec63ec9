package main

import (
	"context"
	"errors"
	"syscall"
	"testing"
	"time"
)

// TestSignals sends real ones to this process: the first cancels with its
// cause, the second ends at once, and after stop none is caught any more.
func TestSignals(t *testing.T) {
	ended := make(chan int, 1)
	ctx, stop := withSignals(context.Background(), func(status int) { ended <- status })
	defer stop()

	send(t, syscall.SIGTERM)
	select {
	case <-ctx.Done():
	case <-time.After(patience):
		t.Fatal("the first signal did not cancel the context")
	}
	cause, ok := errors.AsType[interrupted](context.Cause(ctx))
	if !ok || cause.status != 143 {
		t.Errorf("cause %v, want SIGTERM with status 143", context.Cause(ctx))
	}
	if len(ended) > 0 {
		t.Fatal("the first signal ended the program")
	}

	time.Sleep(2 * sameSignal)
	send(t, syscall.SIGINT)
	select {
	case status := <-ended:
		if status != 130 {
			t.Errorf("status %d at the second signal, want 130", status)
		}
	case <-time.After(patience):
		t.Fatal("the second signal did not end the program")
	}
}

func send(t *testing.T, s syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(syscall.Getpid(), s); err != nil {
		t.Fatal(err)
	}
}

// TestSignalTwice: the signal that timeout(1) sends to a group right after the
// one to its child is no second one.
func TestSignalTwice(t *testing.T) {
	ended := make(chan int, 1)
	ctx, stop := withSignals(context.Background(), func(status int) { ended <- status })
	send(t, syscall.SIGTERM)
	<-ctx.Done()
	for range 3 {
		send(t, syscall.SIGTERM)
		time.Sleep(sameSignal / 20)
	}
	stop()
	if len(ended) > 0 {
		t.Error("one signal sent twice ended the program at once")
	}
}

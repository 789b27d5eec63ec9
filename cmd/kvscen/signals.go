package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

// sameSignal is how long a signal after the first still counts as the first:
// timeout(1) sends one to its child and, at once, one to the whole group.
const sameSignal = 200 * time.Millisecond

// interrupted is the cause of a context that a signal ended.
type interrupted struct {
	name   string
	status int
}

func (i interrupted) Error() string { return "interrupted by " + i.name }

// interruption is what a signal stands for.
func interruption(s os.Signal) interrupted {
	if s == syscall.SIGTERM {
		return interrupted{"SIGTERM", result.StatusTerminated}
	}
	return interrupted{"SIGINT", result.StatusInterrupted}
}

// withSignals gives a context that the first SIGINT or SIGTERM cancels, with
// an interrupted as its cause. A second one calls atOnce, which is not to
// return, unless it comes within sameSignal; what runs is then ended by its guards. stop gives the signals back.
func withSignals(parent context.Context, atOnce func(status int)) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		var first time.Time
		for {
			select {
			case <-done:
				return
			case s := <-signals:
				if first.IsZero() {
					first = time.Now()
					cancel(interruption(s))
				} else if time.Since(first) > sameSignal {
					atOnce(interruption(s).status)
					return
				}
			}
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		<-ended
		cancel(nil)
	}
}

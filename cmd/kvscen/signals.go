package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/kvscen/kvscen/internal/result"
)

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
// return; what runs is then ended by its guards. stop gives the signals back.
func withSignals(parent context.Context, atOnce func(status int)) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for first := true; ; first = false {
			select {
			case <-done:
				return
			case s := <-signals:
				if !first {
					atOnce(interruption(s).status)
					return
				}
				cancel(interruption(s))
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
